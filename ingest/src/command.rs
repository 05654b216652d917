//! Running another program on hostile input: its standard input given, its output bounded, its time bounded. What the
//! program is and what its output means is its caller's.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How much a program may say on its error output before the rest is thrown away.
const ERROR_OUTPUT_BYTES: u64 = 8 * 1024;

/// What a program answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// Its standard output.
    pub(crate) output: Vec<u8>,
    /// The beginning of its error output.
    pub(crate) complaint: String,
}

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// It is not installed.
    #[error("the program is not installed")]
    Missing,
    /// It could not be started or watched.
    #[error("it could not be run: {0}")]
    Run(#[from] io::Error),
    /// It took too long and was killed.
    #[error("it was stopped after {} s without an answer", .0.as_secs())]
    TimedOut(Duration),
    /// It said too much and was killed.
    #[error("it was stopped after {0} bytes of output")]
    TooMuch(u64),
}

/// Runs `command` with `input` on its standard input, for at most `time`, and takes at most `limit` bytes of its output.
pub(crate) fn run(
    command: &mut Command,
    input: &[u8],
    time: Duration,
    limit: u64,
) -> Result<Answer, CommandError> {
    let deadline = Instant::now() + time;
    // In a group of its own, so that Ctrl-C at a terminal ends the batch and not the reading of the page in hand.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CommandError::Missing),
        spawned => spawned?,
    };
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
            None => {
                let _ = child.kill();
                (child.wait(), true)
            }
        };
        let complaint = complaint.join().unwrap_or_default();
        match outcome? {
            _ if timed_out => Err(CommandError::TimedOut(time)),
            output => Ok(Answer { status: status?, output, complaint }),
        }
    })
}

/// Waits for `child` to end; `None` where it still runs at `deadline` or cannot be watched.
fn wait_until(child: &mut std::process::Child, deadline: Instant) -> Option<ExitStatus> {
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

    #[test]
    fn gives_input_and_takes_output() {
        let input = vec![b'x'; 1_000_000];
        let answer = run(&mut Command::new("cat"), &input, Duration::from_secs(20), 2_000_000).unwrap();
        assert!(answer.status.success());
        assert_eq!(answer.output, input);
    }

    #[test]
    fn what_takes_too_long_is_stopped() {
        let start = Instant::now();
        let refused = run(Command::new("sleep").arg("60"), b"", Duration::from_millis(100), 10);
        assert!(matches!(refused, Err(CommandError::TimedOut(_))), "{refused:?}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn what_says_too_much_is_stopped() {
        let refused = run(&mut Command::new("yes"), b"", Duration::from_secs(20), 1000);
        assert!(matches!(refused, Err(CommandError::TooMuch(1000))), "{refused:?}");
    }

    #[test]
    fn what_is_not_installed_is_named_so() {
        let refused = run(&mut Command::new("no-such-program-here"), b"", Duration::from_secs(1), 1);
        assert!(matches!(refused, Err(CommandError::Missing)), "{refused:?}");
    }
}
