import { tenants } from "./seed.ts";

/** The people of a laptop: they log in by a click, and some have a token in `dev.json`. */
export interface Person {
  name: string;
  title: string;
  /** Who the person works for. */
  group: string;
  claims: Record<string, unknown>;
  /** The name of the token in `dev.json`. */
  token?: string;
}

const person = (name: string, title: string, group: string, more: object): Person => ({
  name,
  title,
  group,
  claims: { sub: name, preferred_username: name, ...more },
});

export const people: readonly Person[] = [
  {
    ...person("admin", "Administrator, sees and changes everything", "Provider", {
      roles: ["provider-admin"],
    }),
    token: "admin",
  },
  {
    ...person("operator", "Operator, sees everything", "Provider", {
      roles: ["provider-viewer"],
    }),
    token: "operator",
  },
  ...tenants.flatMap((tenant) => [
    {
      ...person(`${tenant}-user`, "Administrator", tenant, {
        organization: [tenant],
        roles: ["tenant-admin"],
      }),
      token: tenant,
    },
    {
      ...person(`${tenant}-member`, "Member, with the roles of its projects", tenant, {
        organization: [tenant],
      }),
      token: `${tenant}-member`,
    },
  ]),
];
