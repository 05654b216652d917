package bench;

import java.util.List;

/** The facets by which alerts filter tenders, in the order of the prepared files. */
final class Facets {
    static final List<String> NAMES = List.of("status", "category", "organization", "priority", "place");
    /** Every tender has this term in every filtered facet. An alert without terms for a facet has only this term. */
    static final String ANY = "any";

    private Facets() {}
}
