import { useSyncExternalStore } from "react";

/** Who is signed in. Tokens are in the memory of this tab and nowhere else: a reload signs in again, at the issuer. */

export interface Session {
  token: string;
  /** When the token ends, in milliseconds since the epoch. */
  until: number;
  user: string;
  /** Empty for people of the provider. */
  tenant: string;
  /** Of the provider: they see all tenants. */
  isStaff: boolean;
  /** They may change what they see. */
  mayChange: boolean;
}

let session: Session | undefined;
const listeners = new Set<() => void>();

function set(next: Session | undefined): void {
  session = next;
  for (const listener of listeners) listener();
}

export const accessToken = (): string | undefined => session?.token;

/** What the issuer does for a session. */
interface AtIssuer {
  /** Takes the place of the token by `signedIn`; absent where a sign-in is over with its token. */
  renew?: () => Promise<void>;
  /** Ends the sign-in there. */
  leave: () => void;
}

let atIssuer: AtIssuer | undefined;
let renewing: Promise<boolean> | undefined;

export function signedIn(next: Session, issuer: AtIssuer): void {
  atIssuer = issuer;
  set(next);
}

/** Forgets a session that is over. */
export function signedOut(): void {
  atIssuer = undefined;
  set(undefined);
}

/** Ends the session here and at the issuer. */
export function signOut(): void {
  const { leave } = atIssuer ?? {};
  signedOut();
  leave?.();
}

/** Whether there is a new token: for all that were refused with the old one, which are many at once. */
export function renewed(): Promise<boolean> {
  renewing ??= tried().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function tried(): Promise<boolean> {
  if (!atIssuer?.renew) return false;
  return atIssuer.renew().then(
    () => true,
    () => false,
  );
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The session; undefined while not signed in. */
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => session);

/** The session of a page that is shown to those who are signed in alone. */
export function useSignedIn(): Session {
  const found = useSession();
  if (!found) throw new Error("not signed in");
  return found;
}

/** The part of the API that answers a session. */
export const areaOf = ({ isStaff }: Session): string =>
  isStaff ? "/api/private/v1" : "/api/fulfillment/v1";
