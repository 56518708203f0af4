/**
 * The object of each kind, by the kind's name. Each kind adds itself from its own folder, so the kernel
 * names none.
 */
// biome-ignore lint/suspicious/noEmptyInterface: kinds add their members by declaration merging.
export interface ObjectOf {}
