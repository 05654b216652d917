package bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.monitor.Monitor;
import org.apache.lucene.monitor.MonitorConfiguration;
import org.apache.lucene.monitor.MonitorQuery;
import org.apache.lucene.monitor.MultipassTermFilteredPresearcher;
import org.apache.lucene.monitor.Presearcher;
import org.apache.lucene.monitor.QueryDecomposer;
import org.apache.lucene.monitor.QueryMatch;
import org.apache.lucene.monitor.TermFilteredPresearcher;
import org.apache.lucene.monitor.TermWeightor;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** A Lucene Monitor whose queries are alerts and whose documents are tenders. */
final class Engine {
    private static final String WORDS = "words";
    private static final String VALUE = "value";
    private static final String DAYS = "days";

    /** The alerts that match, and the number of queries that were run. */
    record MatchResult(int[] alerts, int candidates) {}

    private final Variant variant;
    private final Grams grams = new Grams();
    private final WordStream stream = new WordStream(grams);
    private final Map<String, Integer> frequencies = new HashMap<>();
    private final List<Tender> tenders;
    private Monitor monitor;

    Engine(Variant variant, List<Tender> tenders) {
        this.variant = variant;
        this.tenders = tenders;
    }

    void register(List<Alert> alerts) throws IOException {
        for (Alert alert : alerts) {
            addGrams(alert);
        }
        if (variant.rarity()) {
            countWords();
        }
        TermWeightor weightor = this::weight;
        Presearcher presearcher = variant.passes() == 1
            ? new TermFilteredPresearcher(weightor, List.of(), variant.filters())
            : new MultipassTermFilteredPresearcher(variant.passes(), 0, weightor, List.of(), variant.filters());
        MonitorConfiguration configuration = new MonitorConfiguration() {
            /** Like the default, with another analyzer. The default would treat several terms of a facet as one. */
            @Override
            protected IndexWriterConfig getIndexWriterConfig() {
                TieredMergePolicy merging = new TieredMergePolicy();
                merging.setSegmentsPerTier(4);
                return new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(merging).setRAMBufferSizeMB(512);
            }
        };
        configuration.setPurgeFrequency(1, TimeUnit.DAYS);
        configuration.setQueryUpdateBufferSize(alerts.size() + 1);
        if (!variant.decompose()) {
            configuration.setQueryDecomposer(new QueryDecomposer() {
                @Override
                public Set<Query> decompose(Query query) {
                    return Set.of(query);
                }
            });
        }
        monitor = new Monitor(new WhitespaceAnalyzer(), presearcher, configuration);
        List<MonitorQuery> queries = new ArrayList<>(alerts.size());
        for (int number = 0; number < alerts.size(); number++) {
            queries.add(query(number, alerts.get(number)));
        }
        monitor.register(queries);
    }

    void close() throws IOException {
        monitor.close();
    }

    void replace(int number, Alert alert) throws IOException {
        addGrams(alert);
        monitor.register(query(number, alert));
    }

    MatchResult match(Tender tender) throws IOException {
        if (tender.texts().length == 0) {
            return new MatchResult(new int[0], 0);
        }
        var matches = monitor.match(document(tender), QueryMatch.SIMPLE_MATCHER);
        if (!matches.getErrors().isEmpty()) {
            throw new IOException("queries failed: " + matches.getErrors());
        }
        int[] alerts = new int[matches.getMatchCount()];
        int index = 0;
        for (QueryMatch match : matches.getMatches()) {
            alerts[index++] = Integer.parseInt(match.getQueryId());
        }
        return new MatchResult(alerts, matches.getQueriesRun());
    }

    private void addGrams(Alert alert) {
        for (List<Pattern> patterns : List.of(alert.keywords(), alert.excludes())) {
            for (Pattern pattern : patterns) {
                for (String token : pattern.tokens()) {
                    grams.add(token);
                }
            }
        }
    }

    /** Counts the tenders with each token. In production, these frequencies would not be known in advance. */
    private void countWords() {
        for (Tender tender : tenders) {
            Set<String> seen = new HashSet<>();
            for (String text : tender.texts()) {
                for (String word : text.split(" ")) {
                    if (seen.add(word)) {
                        seen.addAll(List.of(grams.find(word)));
                    }
                }
            }
            seen.forEach(token -> frequencies.merge(token, 1, Integer::sum));
        }
    }

    /** Weights terms for the presearcher. Words outweigh all other terms. */
    private double weight(Term term) {
        if (!term.field().equals(WORDS)) {
            return 1e-9;
        }
        if (variant.rarity()) {
            return 1.0 / (1 + frequencies.getOrDefault(term.text(), 0));
        }
        String text = term.text();
        char mark = text.charAt(0);
        boolean gram = mark == Pattern.PREFIX || mark == Pattern.SUFFIX || mark == Pattern.INFIX;
        return text.length() / (gram ? 20.0 : 10.0);
    }

    private MonitorQuery query(int number, Alert alert) {
        BooleanQuery.Builder keywords = new BooleanQuery.Builder();
        for (Pattern pattern : alert.keywords()) {
            keywords.add(phrase(pattern), Occur.SHOULD);
        }
        List<Query> required = new ArrayList<>();
        Map<String, String> metadata = new HashMap<>();
        for (int facet = 0; facet < Facets.NAMES.size(); facet++) {
            String name = Facets.NAMES.get(facet);
            String accepted = alert.accepts().get(facet);
            if (variant.filters().contains(name)) {
                metadata.put(name, accepted == null ? Facets.ANY : accepted);
            } else if (accepted != null) {
                BooleanQuery.Builder terms = new BooleanQuery.Builder();
                for (String term : accepted.split(" ")) {
                    terms.add(new TermQuery(new Term(name, term)), Occur.SHOULD);
                }
                required.add(terms.build());
            }
        }
        if (!alert.values().isEmpty()) {
            BooleanQuery.Builder values = new BooleanQuery.Builder();
            values.add(new TermQuery(new Term(VALUE, "none")), Occur.SHOULD);
            for (Alert.Bounds bounds : alert.values()) {
                values.add(LongPoint.newRangeQuery(VALUE + bounds.name(), bounds.min(), bounds.max()), Occur.SHOULD);
            }
            required.add(values.build());
        }
        if (alert.days() != null) {
            required.add(LongPoint.newRangeQuery(DAYS, alert.days().min(), alert.days().max()));
        }
        BooleanQuery.Builder whole = keywords;
        if (!required.isEmpty()) {
            whole = new BooleanQuery.Builder().add(keywords.build(), Occur.MUST);
            for (Query query : required) {
                whole.add(query, Occur.FILTER);
            }
        }
        for (Pattern pattern : alert.excludes()) {
            whole.add(phrase(pattern), Occur.MUST_NOT);
        }
        return new MonitorQuery(Integer.toString(number), whole.build(), null, metadata);
    }

    private static Query phrase(Pattern pattern) {
        return pattern.tokens().length == 1
            ? new TermQuery(new Term(WORDS, pattern.tokens()[0]))
            : new PhraseQuery(WORDS, pattern.tokens());
    }

    private Document document(Tender tender) {
        Document document = new Document();
        document.add(new TextField(WORDS, stream.over(tender.texts())));
        for (int facet = 0; facet < Facets.NAMES.size(); facet++) {
            String name = Facets.NAMES.get(facet);
            for (String term : tender.terms().get(facet).split(" ")) {
                document.add(new StringField(name, term, Field.Store.NO));
            }
            if (variant.filters().contains(name)) {
                document.add(new StringField(name, Facets.ANY, Field.Store.NO));
            }
        }
        if (tender.currency() == null) {
            document.add(new StringField(VALUE, "none", Field.Store.NO));
        } else {
            document.add(new LongPoint(VALUE + tender.currency(), tender.value()));
        }
        if (tender.days() != null) {
            document.add(new LongPoint(DAYS, tender.days()));
        }
        return document;
    }
}
