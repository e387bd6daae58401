//! Limits on time and memory: the operating system kills a program that exceeds them.

use crate::support::{RELEASED, Test};

/// Processor time in seconds, summed over all threads: at least the elapsed time on an idle machine, but unaffected by
/// other load.
const SECONDS: u32 = 4;

/// Memory in units of 1,024 bytes: 400 MB. Memory that is requested but not used counts.
const MEMORY: u32 = 400_000_000 / 1_024;

/// How much slower a build without optimisation may be than a released program.
const DEBUG_SLACK: u32 = 8;

/// Limits the program in time and memory.
pub(super) fn hold(test: Test) -> Test {
    if cfg!(not(unix)) {
        return test;
    }
    let seconds = if RELEASED.is_some() { SECONDS } else { SECONDS * DEBUG_SLACK };
    let script = format!("ulimit -c 0; ulimit -t {seconds}; ulimit -d {MEMORY}; exec \"$0\" \"$@\"");
    test.through(&["sh", "-c", &script])
}

/// Checks that the limits are enforced; otherwise, no test would notice that one is exceeded.
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use super::*;

    /// Whether a shell command succeeds within the limits.
    fn ends(what: &str) -> bool {
        let script = format!("ulimit -c 0; ulimit -t 1; ulimit -d {MEMORY}; {what}");
        Command::new("sh").args(["-c", &script]).output().expect("a shell").status.success()
    }

    #[test]
    fn a_program_over_its_bounds_is_killed() {
        assert!(ends(":"));
        assert!(!ends("while :; do :; done"));
        assert!(ends("dd if=/dev/zero of=/dev/null bs=200000000 count=1"));
        assert!(!ends("dd if=/dev/zero of=/dev/null bs=500000000 count=1"));
    }
}
