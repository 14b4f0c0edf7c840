//! The JSON report, version 1.
