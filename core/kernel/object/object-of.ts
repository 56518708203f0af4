/**
 * The object of each kind, by the kind's name. A kind adds itself here from its own folder, so that the
 * kernel knows none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: kinds add their members by declaration merging.
export interface ObjectOf {}
