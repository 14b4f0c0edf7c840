//! `specward doctor`: whether what is installed for agents would really run.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Map;

use super::COULD_NOT_RUN;
use super::failure::{Failure, print_json};
use super::init;
use super::output;
use super::root::Root;
use super::settings::Settings;
use crate::doctor::v1::{DoctorV1, ErrorV1};
use crate::doctor::{Surroundings, SystemFiles, examine, render};

/// Tell whether the hooks of agents would really run here: what is installed, and what keeps it from running unseen
///
/// Looks at the files of the repository and at settings of the user and the machine. Writes nothing, starts no program and
/// asks no network. Exit code 0 all is well, 1 there is a problem, 2 could not run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> ExitCode {
    let around = match surroundings(settings) {
        Ok(around) => around,
        Err(failure) => return refuse(args, failure),
    };
    let checks = examine(&around);
    let top = around.top().display().to_string();
    let report = DoctorV1::new(top.clone(), &checks);
    if args.json {
        print_json(&report);
    } else {
        output::text(&render::human(&top, &checks));
    }
    ExitCode::from(report.exit_code)
}

fn refuse(args: &Args, failure: Failure) -> ExitCode {
    if args.json {
        print_json(&DoctorV1::could_not_run(Some(ErrorV1 { message: failure.message, fix: failure.fix })));
    } else {
        failure.print(false, Map::new());
    }
    ExitCode::from(COULD_NOT_RUN)
}

fn surroundings(settings: &Settings) -> Result<Surroundings, Failure> {
    let project = Root::find(&settings.cwd)?.found()?.path;
    let place = init::place(&project)?;
    let config = init::config_path(&place, &project);
    let env = settings.env.clone();
    let home: Option<PathBuf> = env.path("HOME").or_else(|| env.path("USERPROFILE"));
    let program = std::env::current_exe().ok();
    Ok(Surroundings { place, config, env, home, program, system: SystemFiles::of_this_machine() })
}
