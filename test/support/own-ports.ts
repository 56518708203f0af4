/**
 * The first of some ports for a process that a test ends and starts again: below those that the system
 * gives to whoever asks for any, so that nobody has taken them meanwhile.
 */
export const ownPorts = (): number => 10_000 + 64 * Math.floor(Math.random() * 340);
