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
export const signedIn = (next: Session): void => set(next);
export const signedOut = (): void => set(undefined);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The session; undefined while nobody is signed in. */
export const useSession = (): Session | undefined => useSyncExternalStore(subscribe, () => session);

/** The session of a page that is shown to those who are signed in alone. */
export function useSignedIn(): Session {
  const found = useSession();
  if (!found) throw new Error("nobody is signed in");
  return found;
}

/** The part of the API that answers a session. */
export const areaOf = ({ isStaff }: Session): string =>
  isStaff ? "/api/private/v1" : "/api/fulfillment/v1";
