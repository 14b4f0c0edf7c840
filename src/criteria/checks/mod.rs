//! One file for each kind of check. Each looks, and tells what it saw.
