import { tenants } from "./seed.ts";

/** The people of a laptop: they log in by a click, and some have a token in `dev.json`. */
export interface Person {
  name: string;
  title: string;
  claims: Record<string, unknown>;
  /** The name of the token in `dev.json`. */
  token?: string;
}

const person = (name: string, title: string, more: object): Person => ({
  name,
  title,
  claims: { sub: name, preferred_username: name, ...more },
});

export const people: readonly Person[] = [
  {
    ...person("admin", "Administrator of the provider", { roles: ["provider-admin"] }),
    token: "admin",
  },
  {
    ...person("operator", "Operations of the provider, read only", {
      roles: ["provider-viewer"],
    }),
    token: "operator",
  },
  ...tenants.flatMap((tenant) => [
    {
      ...person(`${tenant}-user`, `Administrator of ${tenant}`, {
        organization: [tenant],
        roles: ["tenant-admin"],
      }),
      token: tenant,
    },
    {
      ...person(`${tenant}-member`, `Of ${tenant}, with what projects give`, {
        organization: [tenant],
      }),
      token: `${tenant}-member`,
    },
  ]),
];
