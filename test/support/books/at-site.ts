/** What a site has, named as the site names it: worlds of several sites put the site before it. */
export const withoutSite = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
