//! Rules about findings that somebody allowed. The gate reports them once it knows what was found.

use super::rule::group;

group!("suppress": malformed, refused, expired, unused);
