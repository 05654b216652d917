//! What processes of this machine have used, as `/proc` tells it.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;

/// Of a second, in which Linux tells CPU time to programs, whatever it counts by itself.
const TICKS: f64 = 100.0;

/// What a process, or a family of them, has used.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Usage {
    /// CPU time, its own and the system's for it.
    cpu_s: f64,
    /// The most resident memory so far, in MB of a million bytes; 0 where several share theirs.
    peak_mb: f64,
}

impl Usage {
    /// Of a process alone.
    pub(super) fn of(process: u32) -> Result<Self> {
        let peak_mb = field(process, "VmHWM:")? * 1024.0 / 1e6;
        Ok(Self { cpu_s: rounded(Stat::of(process)?.own), peak_mb: rounded(peak_mb) })
    }

    /// Of a process and those that it has started, alive or not.
    pub(super) fn of_family(parent: u32) -> Result<Self> {
        let stat = Stat::of(parent)?;
        let mut cpu_s = stat.own + stat.ended;
        for entry in fs::read_dir("/proc").context("/proc can't be read")? {
            let Some(child) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // One that ends in this moment is counted a moment later.
            cpu_s +=
                Stat::of(child).ok().filter(|child| child.parent == parent).map_or(0.0, |child| child.own);
        }
        Ok(Self { cpu_s: rounded(cpu_s), peak_mb: 0.0 })
    }

    /// What was used since; the peak is the one of all its life.
    pub(super) fn since(self, before: Self) -> Self {
        Self { cpu_s: rounded(self.cpu_s - before.cpu_s), ..self }
    }
}

/// Which process started another.
pub(super) fn parent(process: u32) -> Result<u32> {
    Ok(Stat::of(process)?.parent)
}

struct Stat {
    parent: u32,
    own: f64,
    /// Of its children that have ended.
    ended: f64,
}

impl Stat {
    fn of(process: u32) -> Result<Self> {
        let path = format!("/proc/{process}/stat");
        let text = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
        // The second field is a name, which may hold anything.
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let number = |nth: usize| -> Result<f64> {
            // The first that is left is the third.
            let field = fields.get(nth - 3).with_context(|| format!("{path} has no field {nth}"))?;
            field.parse().with_context(|| format!("{path}: {field}"))
        };
        Ok(Self {
            parent: number(4)? as u32,
            own: (number(14)? + number(15)?) / TICKS,
            ended: (number(16)? + number(17)?) / TICKS,
        })
    }
}

/// A field of a process's status, in its unit.
fn field(process: u32, name: &str) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
    number.with_context(|| format!("{path} has no {name}"))
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_used_something_and_its_parent_has_it_in_its_family() {
        let own = Usage::of(std::process::id()).unwrap();
        assert!(own.peak_mb > 0.5, "{own:?}");
        let parent = parent(std::process::id()).unwrap();
        assert!(parent > 0 && parent != std::process::id());
        assert!(Usage::of_family(parent).unwrap().cpu_s >= own.cpu_s);
    }
}
