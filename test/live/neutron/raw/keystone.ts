import type { Known, Raw, Row } from "../../compare.ts";
import { nobody } from "./ask.ts";

/** What is asked of Keystone, and of Neutron with its tokens. */

const tokens = "/v3/auth/tokens";
const identity = (application_credential: object) => ({
  methods: ["application_credential"],
  application_credential,
});
const post = (body: unknown, path = tokens): Raw => ({ method: "POST", path, body });
const secretOf = (known: Known, name: string) => known[`${name}.secret`];
/** Logs in with a credential of this name, whose identity may be changed, and may ask for more. */
const login =
  (name: string, change: object = {}, more: object = {}) =>
  (known: Known): Raw => {
    const own = { id: known[`${name}.id`], secret: secretOf(known, name) };
    return post({ auth: { identity: identity({ ...own, ...change }), ...more } });
  };
/** The same by its name. */
const named =
  (name: unknown, user?: (known: Known) => object) =>
  (known: Known): Raw => {
    const credential = { name, user: user?.(known), secret: secretOf(known, "both") };
    return post({ auth: { identity: identity(credential) } });
  };
const wrongLogin = (given: object): Raw => post({ auth: { identity: given } });
const at =
  (path: string, method = "POST") =>
  (known: Known) => ({
    ...login("both")(known),
    method,
    path,
  });

const ask =
  (path: string, asker?: string, subject?: string, method = "GET") =>
  (known: Known): Raw => ({
    method,
    path,
    headers: {
      ...(asker !== undefined && { "x-auth-token": known[asker] ?? asker }),
      ...(subject !== undefined && { "x-subject-token": known[subject] ?? subject }),
    },
  });
const network = "/v2.0/networks?fields=id";

const logins: Row[] = [
  { what: "a credential", ask: login("both"), keep: ["token", "x-subject-token"] },
  { what: "another", ask: login("admin"), keep: ["other", "x-subject-token"] },
  ...["service", "member", "fewer", "unrestricted", "expired", "deleted", "disabled"].map(
    (name): Row => ({ what: `a credential, ${name}`, ask: login(name) }),
  ),
  { what: "one with rules of access", ask: login("ruled"), keep: ["ruled", "x-subject-token"] },
  { what: "a wrong secret", ask: login("both", { secret: "wrong" }) },
  { what: "an empty secret", ask: login("both", { secret: "" }) },
  { what: "no secret", ask: login("both", { secret: undefined }) },
  { what: "a secret that is a number", ask: login("both", { secret: 3 }) },
  {
    what: "another's secret",
    ask: (known) => login("both", { secret: secretOf(known, "admin") })(known),
  },
  { what: "an id that there is not", ask: login("both", { id: nobody }) },
  { what: "an empty id", ask: login("both", { id: "" }) },
  { what: "no id", ask: login("both", { id: undefined }) },
  { what: "null for an id", ask: login("both", { id: null }) },
  {
    what: "its name, and its user's id",
    ask: named("slipway", (known) => ({ id: known["both.user"] })),
  },
  {
    what: "its name, and its user's",
    ask: named("slipway", () => ({ name: "slipway-both", domain: { id: "default" } })),
  },
  {
    what: "its user's name of no domain",
    ask: named("slipway", () => ({ name: "slipway-both" })),
  },
  { what: "its name alone", ask: named("slipway") },
  {
    what: "a name that its user has not",
    ask: named("other", (known) => ({ id: known["both.user"] })),
  },
  { what: "a user that there is not", ask: named("slipway", () => ({ id: nobody })) },
  { what: "no catalog", ask: at(`${tokens}?nocatalog`) },

  { what: "no scope", ask: login("both", {}, { scope: "unscoped" }) },
  { what: "its own project", ask: login("both", {}, { scope: { project: { id: nobody } } }) },
  { what: "the whole system", ask: login("both", {}, { scope: { system: { all: true } } }) },
  { what: "a member that there is not", ask: login("both", {}, { colour: "red" }) },

  { what: "no body", ask: post(undefined) },
  { what: "a body that is none", ask: post([]) },
  { what: "a body of another type", ask: plain(post({})) },
  { what: "nothing", ask: post({}) },
  { what: "no identity", ask: post({ auth: {} }) },
  { what: "no methods", ask: wrongLogin({}) },
  { what: "methods that are none", ask: wrongLogin({ methods: "application_credential" }) },
  { what: "none of the methods", ask: wrongLogin({ methods: [] }) },
  { what: "a method that there is not", ask: wrongLogin({ methods: ["nonsense"] }) },
  {
    what: "a method without its credential",
    ask: wrongLogin({ methods: ["application_credential"] }),
  },
  {
    what: "two methods, of which one has nothing",
    ask: wrongLogin({
      ...identity({ id: nobody }),
      methods: ["application_credential", "password"],
    }),
  },
  {
    what: "a wrong password",
    ask: wrongLogin({ methods: ["password"], password: { user: { id: nobody, password: "x" } } }),
  },
  {
    what: "a credential's token",
    ask: (known) => wrongLogin({ methods: ["token"], token: { id: known.token } }),
  },
  {
    what: "a token that is none",
    ask: wrongLogin({ methods: ["token"], token: { id: "nonsense" } }),
  },
];

function plain(raw: Raw): Raw {
  return { ...raw, headers: { "content-type": "text/plain" } };
}

const paths: Row[] = [
  { what: "the versions", ask: ask("/") },
  { what: "the version", ask: ask("/v3") },
  { what: "a version that there is not", ask: ask("/v4") },
  { what: "a path that there is not", ask: ask("/v3/nothing") },
  {
    what: "the last version's path",
    ask: at("/v2.0/tokens"),
    differs: "the simulated Neutron answers at the same address, and refuses whoever has no token",
  },
  { what: "a path without a version", ask: at("/auth/tokens") },
  { what: "a path with two", ask: at("/v3/v3/auth/tokens") },
  { what: "a path that another address has", ask: at("/identity/v3/auth/tokens") },
  { what: "a method that the path has not", ask: at(tokens, "PUT") },
  { what: "another that it has not", ask: at(tokens, "PATCH") },
];

const later: Row[] = [
  { what: "a token shows itself", ask: ask(tokens, "token", "token") },
  { what: "it without the catalog", ask: ask(`${tokens}?nocatalog`, "token", "token") },
  { what: "a token shows none", ask: ask(tokens, "token") },
  { what: "a token shows what is none", ask: ask(tokens, "token", "nonsense") },
  { what: "nobody shows a token", ask: ask(tokens, undefined, "token") },
  { what: "what is no token shows one", ask: ask(tokens, "nonsense", "token") },
  { what: "the catalog", ask: ask("/v3/auth/catalog", "token") },
  { what: "the catalog for nobody", ask: ask("/v3/auth/catalog") },
  { what: "Neutron with the token", ask: ask(network, "token") },
  { what: "Neutron without one", ask: ask(network) },
  { what: "Neutron with what is none", ask: ask(network, "nonsense") },
  { what: "Neutron with an empty one", ask: ask(network, "") },
  { what: "Neutron with one that has rules of access", ask: ask(network, "ruled") },
  { what: "what the rules do not say", ask: ask("/v2.0/ports?fields=id", "ruled") },
  { what: "the token is revoked", ask: ask(tokens, "token", "token", "DELETE") },
  { what: "another revokes it again", ask: ask(tokens, "other", "token", "DELETE") },
  { what: "it shows itself then", ask: ask(tokens, "token", "token") },
  { what: "another shows it then", ask: ask(tokens, "other", "token") },
  { what: "the catalog with it", ask: ask("/v3/auth/catalog", "token") },
  {
    what: "Neutron with it",
    ask: ask(network, "token"),
    differs:
      "Neutron remembers for five minutes that a token was valid; the simulated one asks each time",
  },
  { what: "the credential again", ask: login("both") },
];

export const keystoneRows: Row[] = [...logins, ...paths, ...later];
