//! The printed result of a run.

use super::{LONGEST_OUTAGE_S, SoakReport};
use std::fmt;

impl fmt::Display for SoakReport {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let audit = &self.audit;
        writeln!(
            to,
            "seed {}, layout {:?}, {:.0} s, {:.0} kills an hour",
            self.seed, self.layout, self.duration_s, self.kills_per_hour
        )?;
        writeln!(
            to,
            "\n{:<42} {:>6} {:>10} {:>14} {:>14} {:>11} {:>18}",
            "attack",
            "count",
            "in flight",
            "lost of these",
            "lost otherwise",
            "most in one",
            "longest outage, s"
        )?;
        for (attack, effect) in &self.attacks {
            writeln!(
                to,
                "{attack:<42} {:>6} {:>10} {:>14} {:>14} {:>11} {:>18.1}",
                effect.count,
                effect.in_flight,
                effect.lost_in_flight,
                effect.lost_otherwise,
                effect.most_lost,
                effect.longest_outage_s
            )?;
        }
        writeln!(to, "\n{:<28} {:>8}", "process", "starts")?;
        for (victim, count) in &self.starts {
            writeln!(to, "{:<28} {count:>8}", victim.to_string())?;
        }
        writeln!(
            to,
            "\n{:<28} {:>8} {:>8} {:>16} {:>15}",
            "write", "accepted", "refused", "unknown, present", "unknown, absent"
        )?;
        for (kind, counts) in &audit.writes {
            writeln!(
                to,
                "{:<28} {:>8} {:>8} {:>16} {:>15}",
                kind.to_string(),
                counts.accepted,
                counts.refused,
                counts.unknown_present,
                counts.unknown_absent
            )?;
        }
        writeln!(to)?;
        for (name, count) in [
            ("attacks left out", self.left_out),
            ("rebuilds of the index", self.rebuilds.completed),
            ("rebuilds that failed", self.rebuilds.failed),
            ("rebuilds that were killed", self.rebuilds.killed),
            ("reads", self.reads as usize),
            ("requests without a response", self.lost_responses),
            ("responses with status 500", self.internal_errors),
            ("published tenders", audit.published_tenders),
            ("matches expected", audit.expected_matches),
            ("matches found", audit.found_matches),
            ("alerts deleted in time", audit.deleted_in_time),
            ("pairs decided by times", audit.decided_pairs),
            ("pairs decided by the log", audit.overlapping_pairs),
            ("mails", audit.mails),
            ("mails sent again", audit.repeated_mails),
            ("daily mails", audit.digests),
            ("tenders listed in mails", audit.mailed_items),
            ("counted, not listed", audit.counted_items),
            ("alert or tender ended", audit.excused_items),
            ("webhook calls", audit.calls),
            ("webhook calls made again", audit.repeated_calls),
            ("tenders in webhook calls", audit.called_items),
            ("SMS", audit.sms),
            ("SMS sent again", audit.repeated_sms),
            ("members of teams", audit.members),
            ("invoices", audit.invoices),
            ("newspaper pages", audit.pages),
            ("pages set aside", audit.set_aside_pages),
            ("documents compared", audit.documents),
            ("simulated defects noticed", self.noticed_defects),
        ] {
            writeln!(to, "{name:<28} {count:>8}")?;
        }
        writeln!(to, "{:<28} {:>8.1}", "seconds to catch up", self.catch_up_s)?;
        writeln!(to, "{:<28} {:>8.1}", "longest outage, s", self.longest_outage_s())?;
        if !self.is_available() {
            writeln!(to, "TOO LONG: there was no listing for more than {LONGEST_OUTAGE_S} s")?;
        }
        for name in &self.unnoticed_defects {
            writeln!(to, "NOT NOTICED by the audit: {name}")?;
        }
        for violation in &audit.violations {
            writeln!(to, "VIOLATION: {violation}")?;
        }
        write!(to, "{} violations", audit.violations.len())
    }
}
