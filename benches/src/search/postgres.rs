//! Postgres full text search with the same filters and facets. One table has a column for each
//! filter and facet. `index` splits the words, which are stored as `tsvector` with a GIN index.
//! Names are stored as numbers. A query is two prepared statements: one for the page, and one for
//! all facets.

use super::{Engine, PAGE_SIZE, Question};
use crate::{
    server::{Backend, Server},
    workload::Workload,
};
use anyhow::{Context, Result, bail};
use index::query::{Clause, Condition, FilterValues, UserQuery};
use postgres::{Client, Statement};
use std::{collections::HashMap, fmt::Write as _, io::Write as _, time::Duration};
use tender_model::{
    tender::Tender,
    text::Words,
    vocabulary::{Moment, TenderStatus},
};

/// The columns for filters and facets. The value `-1` means unknown.
const FACETS: &[&str] = &[
    "sector",
    "category",
    "kind",
    "organization_type",
    "organization",
    "province",
    "district",
    "city",
    "priority",
    "language",
    "publication",
    "grade",
];

/// The maximum number of values returned for each facet: the number of districts.
const MAX_VALUES: usize = 25;

const TABLE: &str = "
    drop table if exists tender;
    create unlogged table tender (
        id uuid not null, words tsvector not null, json text not null,
        sector smallint not null, category smallint not null, kind smallint not null,
        organization_type smallint not null, organization int not null, province smallint not null,
        district smallint not null, city int not null, priority smallint not null, language smallint not null,
        publication int not null, grade smallint not null, published bool not null,
        published_at bigint not null, live_until bigint, closing bigint, value bigint
    )";

const INDEXES: &str = "
    create index on tender using gin (words) with (fastupdate = off);
    create index on tender (published_at desc, id desc);
    create index on tender (category, district);
    create index on tender (district);
    create index on tender (sector, published_at desc);
    vacuum analyze tender";

/// Session settings: one thread, as in our engine, and no JIT, which takes longer than the query.
const SESSION: &str = "
    set work_mem = '256MB'; set jit = off; set max_parallel_workers_per_gather = 0;
    set random_page_cost = 1.1; set effective_cache_size = '8GB'";

pub(super) struct Postgres {
    client: Client,
    backend: Backend,
    now: Moment,
    /// The numbers of organisations, cities and newspapers, by name.
    names: [HashMap<String, usize>; 3],
    prepared: Option<[Statement; 2]>,
    // The last field, so that it outlives the connection.
    _server: Server,
}

impl Postgres {
    pub(super) fn new(url: Option<&str>, now: Moment) -> Result<Self> {
        let server = Server::new(url)?;
        let mut client = server.connect()?;
        client.batch_execute(TABLE)?;
        client.batch_execute(SESSION)?;
        let backend = Backend::of(&mut client)?;
        Ok(Self { client, backend, now, names: Default::default(), prepared: None, _server: server })
    }

    /// Formats a tender as a line for `copy`.
    fn copy_line(&mut self, tender: &Tender) -> Result<String> {
        let values = FilterValues::of(tender);
        let mut number = |kind: usize, name: &str| -> i64 {
            if name.is_empty() {
                return -1;
            }
            let next = self.names[kind].len();
            *self.names[kind].entry(name.to_owned()).or_insert(next) as i64
        };
        let number_or_null =
            |number: Option<i64>| number.map_or_else(|| "\\N".to_owned(), |number| number.to_string());
        let code = |code: Option<usize>| code.map_or(-1, |code| code as i64);
        let location = &tender.location;
        let grade = tender.cida.first().and_then(|cida| {
            tender_model::vocabulary::Grade::ALL.iter().position(|grade| grade.as_str() == cida.grade)
        });
        let value = tender.financials.estimated_value.map(|value| value.amount.minor());
        let json = serde_json::to_string(tender)?.replace('\\', "\\\\");
        let columns = [
            code(tender.sector().map(|sector| sector as usize)),
            code(tender.category.map(|category| category as usize)),
            tender.kind as i64,
            code(tender.organization.kind.map(|kind| kind as usize)),
            number(0, &tender.organization.name),
            code(location.province.map(|province| province as usize)),
            code(location.district.map(|district| district as usize)),
            number(1, location.city.as_deref().unwrap_or_default()),
            tender.priority as i64,
            code(tender.language.map(|language| language as usize)),
            number(2, tender.sources.first().map_or("", |source| source.publication.as_str())),
            code(grade),
        ];
        let mut line = format!("{}\t{}\t{json}", tender.id, text_vector(tender).replace('\\', "\\\\"));
        for column in columns {
            write!(line, "\t{column}")?;
        }
        let published = tender.status == TenderStatus::Published;
        write!(
            line,
            "\t{published}\t{}\t{}\t{}\t{}",
            values.published_at.unwrap_or_default(),
            number_or_null(values.live_until),
            number_or_null(values.closing),
            number_or_null(value)
        )?;
        line.push('\n');
        Ok(line)
    }

    /// Returns the column and condition of each filter.
    fn filters(&self, question: &Question) -> Vec<(&'static str, String)> {
        let among = |column: &'static str, codes: Vec<String>| {
            (!codes.is_empty()).then(|| (column, format!("{column} in ({})", codes.join(","))))
        };
        let codes = |codes: &mut dyn Iterator<Item = usize>| codes.map(|code| code.to_string()).collect();
        [
            among("sector", codes(&mut question.sectors.iter().map(|sector| *sector as usize))),
            among("category", codes(&mut question.categories.iter().map(|category| *category as usize))),
            among("province", codes(&mut question.provinces.iter().map(|province| *province as usize))),
            among("district", codes(&mut question.districts.iter().map(|district| *district as usize))),
            question.live.then(|| ("live", self.live_condition())),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn live_condition(&self) -> String {
        format!("(published and coalesce(live_until >= {}, true))", self.now.second())
    }

    /// Returns the expressions for range facets.
    fn range_facets(&self) -> String {
        let now = self.now.second();
        let end = Moment::end_of(self.now.day()).map_or(now, Moment::second);
        let start = end - 86_399;
        let live = self.live_condition();
        format!(
            "{live} as live, published_at between {start} and {end} as today,
            case when published_at > {end} then 3 when published_at >= {start} then 0
                when published_at >= {start} - 6 * 86400 then 1
                when published_at >= {start} - 29 * 86400 then 2 else 3 end as age,
            case when closing < {now} or closing is null then 4 when closing <= {end} then 0
                when closing <= {end} + 3 * 86400 then 1 when closing <= {end} + 7 * 86400 then 2
                when closing <= {end} + 30 * 86400 then 3 else 4 end as ending,
            case when value is null then -1 when value < 100000000 then 0 when value < 500000000 then 1
                when value < 1000000000 then 2 when value < 5000000000 then 3
                when value < 10000000000 then 4 else 5 end as worth"
        )
    }

    /// Returns a statement that counts all facets, and the total in the empty grouping set.
    fn facets(&self, text: &str, filters: &[(&'static str, String)]) -> String {
        let all: Vec<&str> =
            FACETS.iter().copied().chain(["live", "today", "age", "ending", "worth"]).collect();
        let listed = all.join(", ");
        let columns = FACETS.join(", ");
        let range_facets = self.range_facets();
        if filters.is_empty() || text != "true" {
            // One pass is enough. A tender that fails exactly one filter counts only for the facet
            // of this filter.
            let fails: Vec<String> =
                filters.iter().map(|(_, filter)| format!("(not {filter})::int")).collect();
            let failed = if fails.is_empty() { "0".to_owned() } else { fails.join(" + ") };
            let which = if fails.is_empty() {
                "0".to_owned()
            } else {
                let terms = fails.iter().enumerate().map(|(index, fails)| format!("{fails} * {}", index + 1));
                terms.collect::<Vec<_>>().join(" + ")
            };
            let own = filters.iter().enumerate().map(|(index, (column, _))| {
                let number = index + 1;
                format!(
                    " + case when grouping({column}) = 0 then count(*) filter (where failed = {number}) else 0 end"
                )
            });
            let own: String = own.collect();
            let sets: Vec<String> = all.iter().map(|name| format!("({name})")).collect();
            format!(
                "with hits as (select {columns}, {range_facets}, {which} as failed from tender
                    where {text} and {failed} <= 1),
                counted as (select grouping({listed}) as facet, coalesce({FIRST}) as choice,
                    count(*) filter (where failed = 0){own} as tenders
                    from hits group by grouping sets ({}, ())),
                ranked as (select *, row_number() over (partition by facet order by tenders desc) as place
                    from counted)
                select facet, choice, tenders from ranked where place <= {MAX_VALUES}",
                sets.join(", "),
                FIRST = coalesce_arguments(&all),
            )
        } else {
            // Use the indexes of the filters. One query counts all facets that have no filter. One
            // more query for each filter counts the facet of this filter.
            let every = filters.iter().map(|(_, filter)| filter.as_str()).collect::<Vec<_>>().join(" and ");
            let free: Vec<&str> =
                all.iter().copied().filter(|name| filters.iter().all(|(column, _)| column != name)).collect();
            let sets: Vec<String> = free.iter().map(|name| format!("({name})")).collect();
            let mut statement = format!(
                "select * from (select facet, choice, tenders,
                    row_number() over (partition by facet order by tenders desc) as place
                from (select grouping({}) as facet, coalesce({}) as choice, count(*) as tenders
                    from (select {columns}, {range_facets} from tender where {every}) hits
                    group by grouping sets ({}, ())) counted) ranked where place <= {MAX_VALUES}",
                free.join(", "),
                coalesce_arguments(&free),
                sets.join(", ")
            );
            for (column, filter) in filters {
                let others: Vec<&str> = filters
                    .iter()
                    .filter(|(name, _)| name != column)
                    .map(|(_, other)| other.as_str())
                    .collect();
                let others = if others.is_empty() { "true".to_owned() } else { others.join(" and ") };
                let choice = if *column == "live" { filter.clone() } else { (*column).to_owned() };
                write!(
                    statement,
                    " union all select -1, ({choice})::int, count(*), 1 from tender where {others} group by ({choice})"
                )
                .unwrap_or_default();
            }
            statement
        }
    }
}

/// Returns the arguments of `coalesce` for the only non-null column in a row of grouping sets.
fn coalesce_arguments(columns: &[&str]) -> String {
    columns.iter().map(|column| format!("{column}::int")).collect::<Vec<_>>().join(", ")
}

impl Engine for Postgres {
    fn add(&mut self, tenders: &[Tender]) -> Result<()> {
        let mut lines = String::new();
        for tender in tenders {
            lines.push_str(&self.copy_line(tender)?);
        }
        let mut writer = self.client.copy_in("copy tender from stdin")?;
        writer.write_all(lines.as_bytes())?;
        writer.finish()?;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        // The statements run separately, because a vacuum can't be part of a batch.
        INDEXES.split(';').try_for_each(|statement| Ok(self.client.batch_execute(statement)?))
    }

    fn bytes(&mut self) -> Result<u64> {
        let bytes: i64 = self.client.query_one("select pg_total_relation_size('tender')", &[])?.get(0);
        Ok(bytes.unsigned_abs())
    }

    fn prepare(&mut self, question: &Question) -> Result<()> {
        let text = text_condition(question.text.as_deref())?;
        let filters = self.filters(question);
        let all: String = filters.iter().map(|(_, filter)| format!(" and {filter}")).collect();
        let order = match &question.text {
            Some(text) if !question.newest => {
                format!("ts_rank(words, {}) desc, published_at desc, id desc", tsquery(text)?)
            }
            _ => "published_at desc, id desc".to_owned(),
        };
        let page = format!("select json from tender where {text}{all} order by {order} limit {PAGE_SIZE}");
        let facets = self.facets(&text, &filters);
        self.prepared = Some([self.client.prepare(&page)?, self.client.prepare(&facets)?]);
        Ok(())
    }

    fn run_query(&mut self, _question: &Question) -> Result<usize> {
        let [page, facets] = self.prepared.as_ref().context("the question isn't prepared")?;
        self.client.query(page, &[])?;
        let rows = self.client.query(facets, &[])?;
        let total =
            rows.iter().find(|row| row.get::<_, Option<i32>>(1).is_none()).map(|row| row.get::<_, i64>(2));
        Ok(total.context("there is no total")? as usize)
    }

    fn fill_time(&self) -> Result<Duration> {
        Ok(self.backend.cpu_time()? + crate::measure::process_time())
    }

    fn query_time(&self) -> Result<Duration> {
        self.backend.cpu_time()
    }

    fn memory(&self) -> Result<f64> {
        self.backend.memory()
    }
}

/// Formats a tender's words and positions as a `tsvector`: `'road':1A,12C`. There are gaps between
/// texts, and titles have a higher weight.
fn text_vector(tender: &Tender) -> String {
    let mut places: HashMap<String, Vec<(usize, char)>> = HashMap::new();
    let mut at = 1;
    for (number, text) in Workload::texts(tender).enumerate() {
        let weight = if number == 0 { 'A' } else { 'C' };
        for word in Words::of(text).iter() {
            let here = places.entry(word.to_owned()).or_default();
            // Postgres limits the number of positions of a word and the highest position.
            if here.len() < 255 && at < 16_383 {
                here.push((at, weight));
            }
            at += 1;
        }
        at += 10;
    }
    let mut vector = String::new();
    for (word, places) in places {
        let places: Vec<String> = places.iter().map(|(at, weight)| format!("{at}{weight}")).collect();
        // Words contain only letters, marks and digits, so nothing needs escaping.
        vector.push_str(&format!("'{word}':{} ", places.join(",")));
    }
    vector
}

fn text_condition(text: Option<&str>) -> Result<String> {
    text.map_or_else(|| Ok("true".to_owned()), |text| Ok(format!("words @@ {}", tsquery(text)?)))
}

/// Converts a user's query to a `tsquery`.
fn tsquery(text: &str) -> Result<String> {
    let clause = |clause: &Clause| {
        let any: Vec<String> = clause
            .any
            .iter()
            .map(|condition| match condition {
                Condition::Text(text) => {
                    let words: Vec<String> = text.words.iter().map(|word| format!("''{word}''")).collect();
                    Ok(format!("({})", words.join(" <-> ")))
                }
                Condition::Field(_) => bail!("this benchmark can't translate field conditions to Postgres"),
            })
            .collect::<Result<_>>()?;
        Ok(format!("{}({})", if clause.excluded { "!" } else { "" }, any.join(" | ")))
    };
    let clauses: Vec<String> = UserQuery::read(text).clauses.iter().map(clause).collect::<Result<_>>()?;
    Ok(format!("'{}'::tsquery", clauses.join(" & ")))
}
