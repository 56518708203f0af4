/**
 * The place in the console that an address names, as a path with one slash at its beginning: `//name` would name
 * another host.
 */
export const placeIn = ({ pathname, search }: { pathname: string; search: string }): string =>
  pathname.replace(/^[/\\]+/, "/") + search;
