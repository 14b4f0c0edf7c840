//! D. Disarm the gate.
