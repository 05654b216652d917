package bench;

/**
 * Adjacent words, as the tokens that {@link WordStream} makes from matching words. A token is the word itself, or a mark and a
 * prefix, suffix or infix.
 */
record Pattern(String[] tokens) {
    static final char PREFIX = '<';
    static final char SUFFIX = '>';
    static final char INFIX = '~';

    /** Parses {@code [open left][open right]words}; the first two are 0 or 1. */
    static Pattern parse(String item) {
        boolean left = item.charAt(0) == '1';
        boolean right = item.charAt(1) == '1';
        String[] words = item.substring(2).split(" ");
        int last = words.length - 1;
        if (left && right && last == 0) {
            words[0] = INFIX + words[0];
        } else {
            if (left) {
                words[0] = SUFFIX + words[0];
            }
            if (right) {
                words[last] = PREFIX + words[last];
            }
        }
        return new Pattern(words);
    }
}
