/**
 * The path and query of an address, with exactly one slash at the beginning, since `//name` would name another host.
 */
export const placeIn = ({ pathname, search }: { pathname: string; search: string }): string =>
  pathname.replace(/^[/\\]+/, "/") + search;
