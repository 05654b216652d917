package bench;

import java.util.List;

/** The facets of a tender that alerts filter by, in the order of the prepared files. */
final class Facets {
    static final List<String> NAMES = List.of("status", "category", "organization", "priority", "place");
    /** Every tender has this term in every facet that is filtered by; alerts that ask nothing of it have only this. */
    static final String ANY = "any";

    private Facets() {}
}
