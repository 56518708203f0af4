import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { areaOf, useSignedIn } from "../session/session.ts";
import { get, type Page, type Query } from "./client.ts";

/** Reads from the API: repeated while something changes, and never in a hidden tab. */

const seconds = (count: number): number => count * 1000;
/** The intervals between reads: while an operation runs, for lists, and otherwise. */
export const pace = { busy: seconds(2), list: seconds(5), rest: seconds(60) };

interface Reading<T> {
  /** The time until the next read, in milliseconds. */
  again?(data: T | undefined): number;
  query?: Query;
}

/** Reads one path. */
export function useRead<T>(path: string, { again = () => pace.rest, query }: Reading<T> = {}) {
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => get<T>(path, query, signal),
    refetchInterval: ({ state }) => again(state.data),
    placeholderData: keepPreviousData,
  });
}

/** The objects of a kind that the session may see. `plural` is the kind's name in paths. */
export function useList<T>(plural: string, query: Query, again?: Reading<Page<T>>["again"]) {
  const area = areaOf(useSignedIn());
  return useRead<Page<T>>(`${area}/${plural}`, { query, ...(again && { again }) });
}

export function useObject<T>(plural: string, id: string, again?: Reading<T>["again"]) {
  const area = areaOf(useSignedIn());
  return useRead<T>(`${area}/${plural}/${encodeURIComponent(id)}`, { ...(again && { again }) });
}
