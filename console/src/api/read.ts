import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { areaOf, useSignedIn } from "../session/session.ts";
import { get, type Page, type Query } from "./client.ts";

/** Reading what the API answers: as often as it changes, and never in a hidden tab. */

const seconds = (count: number): number => count * 1000;
/** How soon a page is read again: while something is under way, and at rest. */
export const pace = { busy: seconds(2), list: seconds(5), rest: seconds(60) };

interface Reading<T> {
  /** How soon what was read is read again, in milliseconds. */
  again?(data: T | undefined): number;
  query?: Query;
}

/** One answer. */
export function useRead<T>(path: string, { again = () => pace.rest, query }: Reading<T> = {}) {
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => get<T>(path, query, signal),
    refetchInterval: ({ state }) => again(state.data),
    placeholderData: keepPreviousData,
  });
}

/** Objects of a kind, by the plural of its name, as far as the session may see them. */
export function useList<T>(plural: string, query: Query, again?: Reading<Page<T>>["again"]) {
  const area = areaOf(useSignedIn());
  return useRead<Page<T>>(`${area}/${plural}`, { query, ...(again && { again }) });
}

export function useObject<T>(plural: string, id: string, again?: Reading<T>["again"]) {
  const area = areaOf(useSignedIn());
  return useRead<T>(`${area}/${plural}/${encodeURIComponent(id)}`, { ...(again && { again }) });
}
