//! Running another program on hostile input: its standard input given; its time, memory and output bounded; ended with this
//! program, however that ends. What the program is and what its output means is its caller's.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How much a program may say on its error output before the rest is thrown away.
const ERROR_OUTPUT_BYTES: u64 = 8 * 1024;

/// How `setpriv` ends where there is no such program.
const NOT_FOUND: i32 = 127;

/// What a program may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// From its start to its end.
    pub time: Duration,
    /// Of a processor. The system keeps it, even where nobody watches any more, and a busy machine doesn't shorten it.
    pub processor: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of standard output.
    pub output: u64,
}

/// What a program answered.
#[derive(Debug)]
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub output: Vec<u8>,
    /// The beginning of its error output.
    pub complaint: String,
}

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It is not installed.
    #[error("the program is not installed")]
    Missing,
    /// It could not be started or watched.
    #[error("it could not be run: {0}")]
    Run(#[from] io::Error),
    /// It took too long and was killed.
    #[error("it was stopped after {} s without an answer", .0.as_secs())]
    TimedOut(Duration),
    /// It worked too long and was killed.
    #[error("it was stopped after {} s of work", .0.as_secs())]
    Overworked(Duration),
    /// It asked for too much memory.
    #[error("it wanted more than {} MiB of memory", .0 >> 20)]
    TooLarge(u64),
    /// It said too much and was killed.
    #[error("it was stopped after {0} bytes of output")]
    TooMuch(u64),
}

/// A program that the system kills when this one ends, even by a kill; where util-linux is not installed, it outlives that by
/// no more than its bound on work.
pub fn program(name: &str) -> Command {
    static LEASHED: LazyLock<bool> = LazyLock::new(|| {
        let tried = Command::new("setpriv").args(["--pdeathsig", "KILL", "true"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    });
    if *LEASHED {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--", name]);
        command
    } else {
        Command::new(name)
    }
}

/// Runs `command` with `input` on its standard input.
pub fn run(command: &mut Command, input: &[u8], bounds: Bounds) -> Result<Answer, CommandError> {
    let Bounds { time, output: limit, .. } = bounds;
    let deadline = Instant::now() + time;
    // In a group of its own, so that Ctrl-C at a terminal ends the batch and not the reading of the page in hand.
    let spawned =
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CommandError::Missing),
        spawned => spawned?,
    };
    // Before the first byte of its input is written, so that nothing hostile is met without bounds.
    if let Err(error) = bind(&child, &bounds) {
        end(&mut child)?;
        return Err(error.into());
    }
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("no pipes").into());
    };
    thread::scope(|scope| {
        // A program that stops reading early breaks the pipe; its exit status says whether that was well.
        scope.spawn(move || stdin.write_all(input));
        let complaint = scope.spawn(move || {
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
            Ok(Ok(bytes)) if bytes.len() as u64 > limit => Err(CommandError::TooMuch(limit)),
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(CommandError::TimedOut(time)),
        };
        // With its output at an end, an honest program ends too; killing it then is harmless to one that already has.
        let status = match &outcome {
            Ok(_) => wait_until(&mut child, deadline),
            Err(_) => None,
        };
        let (status, timed_out) = match status {
            Some(status) => (Ok(status), false),
            None => (end(&mut child), true),
        };
        let complaint = complaint.join().unwrap_or_default();
        let (output, status) = (outcome?, status?);
        let is_out_of_memory = || ["bad_alloc", "ut of memory"].iter().any(|words| complaint.contains(words));
        match status {
            _ if timed_out => Err(CommandError::TimedOut(time)),
            _ if status.success() => Ok(Answer { status, output, complaint }),
            _ if status.signal() == Some(Signal::XCPU.as_raw()) => {
                Err(CommandError::Overworked(bounds.processor))
            }
            _ if is_out_of_memory() => Err(CommandError::TooLarge(bounds.memory)),
            _ if status.code() == Some(NOT_FOUND) => Err(CommandError::Missing),
            _ => Ok(Answer { status, output, complaint }),
        }
    })
}

/// Has the system keep the bounds, or tighter ones where this program itself is held to them.
#[cfg(target_os = "linux")]
fn bind(child: &Child, bounds: &Bounds) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let seconds = bounds.processor.as_secs().max(1);
    // At the first bound of work the program is told, one second later it is killed.
    let limits = [(Resource::As, bounds.memory, 0), (Resource::Cpu, seconds, 1), (Resource::Core, 0, 0)];
    for (resource, bound, grace) in limits {
        let held = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(bound.min(held)), maximum: Some((bound + grace).min(held)) };
        prlimit(Some(Pid::from_child(child)), resource, limit)?;
    }
    Ok(())
}

/// Elsewhere, time and output alone are bounded.
#[cfg(not(target_os = "linux"))]
fn bind(_: &Child, _: &Bounds) -> io::Result<()> {
    Ok(())
}

/// Kills a program and whatever it has started.
fn end(child: &mut Child) -> io::Result<ExitStatus> {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    child.wait()
}

/// Waits for `child` to end; `None` where it still runs at `deadline` or cannot be watched.
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
        processor: Duration::from_secs(20),
        memory: 1 << 30,
        output: 2_000_000,
    };

    fn shell(script: &str) -> Command {
        let mut command = program("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn gives_input_and_takes_output() {
        let input = vec![b'x'; 1_000_000];
        let answer = run(&mut program("cat"), &input, BOUNDS).unwrap();
        assert!(answer.status.success());
        assert_eq!(answer.output, input);
    }

    #[test]
    fn what_takes_too_long_is_stopped_with_all_it_started() {
        // The shell's own child holds the pipes open, and would for an hour.
        let bounds = Bounds { time: Duration::from_millis(100), ..BOUNDS };
        let refused = run(&mut shell("sleep 3600; true"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::TimedOut(_))), "{refused:?}");
    }

    #[test]
    fn what_works_too_long_is_stopped() {
        let bounds = Bounds { processor: Duration::from_secs(1), ..BOUNDS };
        let refused = run(&mut shell("while :; do :; done"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::Overworked(_))), "{refused:?}");
    }

    #[test]
    fn what_wants_too_much_memory_does_not_get_it() {
        let bounds = Bounds { memory: 64 << 20, ..BOUNDS };
        let refused = run(&mut shell("echo Out of memory >&2; exit 1"), b"", bounds);
        assert!(matches!(refused, Err(CommandError::TooLarge(_))), "{refused:?}");
        // Its input comes once it is bound.
        let told = run(&mut shell("read -r _; ulimit -v"), b"now\n", bounds).unwrap();
        assert_eq!(String::from_utf8_lossy(&told.output).trim(), "65536");
    }

    #[test]
    fn what_says_too_much_is_stopped() {
        let refused = run(&mut program("yes"), b"", Bounds { output: 1000, ..BOUNDS });
        assert!(matches!(refused, Err(CommandError::TooMuch(1000))), "{refused:?}");
    }

    #[test]
    fn what_is_not_installed_is_named_so() {
        for mut command in [program("no-such-program-here"), Command::new("no-such-program-here")] {
            let refused = run(&mut command, b"", BOUNDS);
            assert!(matches!(refused, Err(CommandError::Missing)), "{refused:?}");
        }
    }
}
