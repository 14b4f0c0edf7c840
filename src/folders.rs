//! Folders on the way to a file that is about to be written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the folders that are missing and remembers them, the outermost first, so that they can be removed again.
///
/// # Errors
/// When one cannot be made. Those made before are remembered all the same.
pub fn make_folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
    missing.reverse();
    for folder in missing {
        fs::create_dir(folder)?;
        made.push(folder.to_owned());
    }
    Ok(())
}
