//! Runs another program on untrusted input. Its time and output are limited. On Linux, its memory
//! and CPU time are limited too, and with `setpriv` the program is killed when this process ends and
//! can't gain privileges. The program gets no secrets: neither the environment of this process nor
//! its open files. The caller chooses the program and interprets its output.

use rustix::process::{Pid, Signal, kill_process_group};
use std::env;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The number of bytes of error output that are kept. The rest is discarded.
const ERROR_OUTPUT_BYTES: u64 = 8 * 1024;

/// The exit status of `setpriv` if the program does not exist.
const NOT_FOUND_STATUS: i32 = 127;

/// The options of `setpriv`: kill the program when this process ends, and ignore set-user-ID bits of
/// the programs that it starts.
const SETPRIV_OPTIONS: [&str; 3] = ["--pdeathsig", "KILL", "--no-new-privs"];

/// The variables that a program inherits from this process. All others may contain secrets, such as
/// `DATABASE_URL` and `OPENAI_API_KEY`.
const INHERITED_VARIABLES: [&str; 9] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TESSDATA_PREFIX",
    "OMP_THREAD_LIMIT",
    "LD_LIBRARY_PATH",
];

/// The first file descriptor after standard input, standard output and standard error.
const FIRST_OTHER_DESCRIPTOR: i32 = 3;

/// The limits of a program.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The maximum time from start to end.
    pub time: Duration,
    /// The maximum CPU time. The operating system enforces this limit even after this process has
    /// ended. Time in which the program waits for a busy machine does not count.
    pub cpu_time: Duration,
    /// The maximum memory in bytes.
    pub memory: u64,
    /// The maximum standard output in bytes.
    pub output: u64,
}

/// The output of a program that ended by itself.
#[derive(Debug)]
pub struct CommandOutput {
    /// The exit status of the program.
    pub status: ExitStatus,
    /// The standard output of the program.
    pub output: Vec<u8>,
    /// The beginning of the error output of the program.
    pub error_output: String,
}

/// Why a program could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The program is not installed.
    #[error("the program is not installed")]
    Missing,
    /// The program could not be started or monitored.
    #[error("it could not be run: {0}")]
    Run(#[from] io::Error),
    /// The program took too long and was killed.
    #[error("it was stopped after {} s without an answer", .0.as_secs())]
    TimedOut(Duration),
    /// The program used too much CPU time and was killed.
    #[error("it was stopped after {} s of CPU time", .0.as_secs())]
    CpuTimeExceeded(Duration),
    /// The program needed too much memory.
    #[error("it needed more than {} MiB of memory", .0 >> 20)]
    MemoryExceeded(u64),
    /// The program wrote too much output and was killed.
    #[error("it was stopped after {0} bytes of output")]
    OutputTooLarge(u64),
}

/// A command that runs a program with an environment of [`INHERITED_VARIABLES`]. The operating system
/// kills the program when this process ends, even if this process is killed. Without `setpriv` of
/// util-linux, the program may continue until its limit of CPU time.
pub fn program(name: &str) -> Command {
    static HAS_SETPRIV: LazyLock<bool> = LazyLock::new(|| {
        let tried = Command::new("setpriv").args(SETPRIV_OPTIONS).arg("true").output();
        tried.is_ok_and(|tried| tried.status.success())
    });
    let mut command = if *HAS_SETPRIV {
        let mut command = Command::new("setpriv");
        command.args(SETPRIV_OPTIONS).args(["--", name]);
        command
    } else {
        Command::new(name)
    };
    let inherited = INHERITED_VARIABLES.iter().filter_map(|name| Some((name, env::var_os(name)?)));
    command.env_clear().envs(inherited);
    command
}

/// Runs `command` with `input` on its standard input. The program inherits no other open file.
pub fn run(command: &mut Command, input: &[u8], bounds: Bounds) -> Result<CommandOutput, CommandError> {
    let Bounds { time, output: limit, .. } = bounds;
    let deadline = Instant::now() + time;
    // The standard library opens files for this process alone. Files that this process has inherited,
    // or that another library has opened, may lack this mark.
    close_fds::set_fds_cloexec_threadsafe(FIRST_OTHER_DESCRIPTOR, &[]);
    // The child has its own process group, so that Ctrl-C ends the batch but not the reading of the
    // current page.
    let spawned =
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CommandError::Missing),
        spawned => spawned?,
    };
    // The limits are set before any untrusted input is written.
    if let Err(error) = set_limits(&child, &bounds) {
        kill_group(&mut child)?;
        return Err(error.into());
    }
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("no pipes").into());
    };
    thread::scope(|scope| {
        // A program may stop reading early, which breaks the pipe. Its exit status shows whether it
        // failed.
        scope.spawn(move || stdin.write_all(input));
        let error_output = scope.spawn(move || {
            let mut stderr = stderr;
            let mut text = Vec::new();
            let _ = stderr.by_ref().take(ERROR_OUTPUT_BYTES).read_to_end(&mut text);
            let _ = io::copy(&mut stderr, &mut io::sink());
            String::from_utf8_lossy(&text).trim().to_owned()
        });
        let (done, output) = mpsc::channel();
        scope.spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.take(limit + 1).read_to_end(&mut bytes).map(|_| bytes);
            let _ = done.send(read);
        });
        let outcome = match output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(bytes)) if bytes.len() as u64 > limit => Err(CommandError::OutputTooLarge(limit)),
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(CommandError::TimedOut(time)),
        };
        // After complete output, the program should end by itself before the deadline. Otherwise it
        // is killed.
        let status = match &outcome {
            Ok(_) => wait_until(&mut child, deadline),
            Err(_) => None,
        };
        let (status, timed_out) = match status {
            Some(status) => (Ok(status), false),
            None => (kill_group(&mut child), true),
        };
        let error_output = error_output.join().unwrap_or_default();
        let (output, status) = (outcome?, status?);
        let is_out_of_memory =
            || ["bad_alloc", "ut of memory"].iter().any(|words| error_output.contains(words));
        match status {
            _ if timed_out => Err(CommandError::TimedOut(time)),
            _ if status.success() => Ok(CommandOutput { status, output, error_output }),
            _ if status.signal() == Some(Signal::XCPU.as_raw()) => {
                Err(CommandError::CpuTimeExceeded(bounds.cpu_time))
            }
            _ if is_out_of_memory() => Err(CommandError::MemoryExceeded(bounds.memory)),
            _ if status.code() == Some(NOT_FOUND_STATUS) => Err(CommandError::Missing),
            _ => Ok(CommandOutput { status, output, error_output }),
        }
    })
}

/// Sets the limits of a child process. No limit is higher than that of this process.
#[cfg(target_os = "linux")]
fn set_limits(child: &Child, bounds: &Bounds) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let seconds = bounds.cpu_time.as_secs().max(1);
    // At the limit of CPU time the program receives SIGXCPU. One second later it is killed.
    let limits = [(Resource::As, bounds.memory, 0), (Resource::Cpu, seconds, 1), (Resource::Core, 0, 0)];
    for (resource, bound, grace) in limits {
        let held = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(bound.min(held)), maximum: Some((bound + grace).min(held)) };
        prlimit(Some(Pid::from_child(child)), resource, limit)?;
    }
    Ok(())
}

/// On other systems, only time and output are limited.
#[cfg(not(target_os = "linux"))]
fn set_limits(_: &Child, _: &Bounds) -> io::Result<()> {
    Ok(())
}

/// Kills a program and the processes that it has started.
fn kill_group(child: &mut Child) -> io::Result<ExitStatus> {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    child.wait()
}

/// Waits for `child` to end; `None` if it still runs at `deadline` or cannot be monitored.
fn wait_until(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        time: Duration::from_secs(60),
        cpu_time: Duration::from_secs(20),
        memory: 1 << 30,
        output: 2_000_000,
    };

    fn shell(script: &str) -> Command {
        let mut command = program("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn input_is_written_and_output_is_read() {
        let input = vec![b'x'; 1_000_000];
        let answer = run(&mut program("cat"), &input, BOUNDS).unwrap();
        assert!(answer.status.success());
        assert_eq!(answer.output, input);
    }

    #[test]
    fn a_slow_program_is_killed_with_its_children() {
        // The child of the shell would keep the pipes open for an hour.
        let bounds = Bounds { time: Duration::from_millis(100), ..BOUNDS };
        let refused = run(&mut shell("sleep 3600; true"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::TimedOut(_))), "{refused:?}");
    }

    #[test]
    fn cpu_time_is_limited() {
        let bounds = Bounds { cpu_time: Duration::from_secs(1), ..BOUNDS };
        let refused = run(&mut shell("while :; do :; done"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::CpuTimeExceeded(_))), "{refused:?}");
    }

    #[test]
    fn memory_is_limited() {
        let bounds = Bounds { memory: 64 << 20, ..BOUNDS };
        let refused = run(&mut shell("echo Out of memory >&2; exit 1"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::MemoryExceeded(_))), "{refused:?}");
        // The input is written after the limits are set.
        let limited = run(&mut shell("read -r _; ulimit -v"), b"now\n", bounds).unwrap();
        assert_eq!(String::from_utf8_lossy(&limited.output).trim(), "65536");
    }

    #[test]
    fn output_is_limited() {
        let refused = run(&mut program("yes"), b"", Bounds { output: 1000, ..BOUNDS });
        assert!(matches!(refused, Err(CommandError::OutputTooLarge(1000))), "{refused:?}");
    }

    #[test]
    fn a_program_gets_no_secrets() {
        // Cargo sets this variable for each test, so that the test needs no variable of its own.
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some());
        let variables = run(&mut program("env"), b"", BOUNDS).unwrap().output;
        for line in String::from_utf8_lossy(&variables).lines() {
            let name = line.split('=').next().unwrap_or_default();
            assert!(INHERITED_VARIABLES.contains(&name), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_inherits_no_open_files() {
        use rustix::fs::{Mode, OFlags, open};
        let opened = open("/dev/null", OFlags::RDONLY, Mode::empty()).unwrap();
        let link = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&opened));
        let answer = run(&mut shell(&format!("test ! -e {link}")), b"", BOUNDS).unwrap();
        assert!(answer.status.success(), "{}", answer.error_output);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_cannot_gain_privileges() {
        let answer = run(&mut shell("grep NoNewPrivs: /proc/self/status"), b"", BOUNDS).unwrap();
        assert_eq!(String::from_utf8_lossy(&answer.output).split_whitespace().last(), Some("1"));
    }

    #[test]
    fn a_missing_program_is_reported() {
        for mut command in [program("no-such-program-here"), Command::new("no-such-program-here")] {
            let refused = run(&mut command, b"", BOUNDS);
            assert!(matches!(refused, Err(CommandError::Missing)), "{refused:?}");
        }
    }
}
