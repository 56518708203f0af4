/**
 * How long the store's stream repeats a record that its reader, the relay, could not handle, in seconds; then the
 * record is lost.
 */
export const recordsKept = 6 * 3600;
