import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Status } from "../generated/answers.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { get, type Page, type Query } from "./client.ts";

/** Reads from the API: repeated while something changes, and never in a hidden tab. */

const seconds = (count: number): number => count * 1000;
/** The intervals between reads: while an operation runs, for lists, for the navigation, and otherwise. */
export const pace = {
  busy: seconds(2),
  list: seconds(5),
  counts: seconds(15),
  rest: seconds(60),
};

interface Reading<T> {
  /** The time until the next read, in milliseconds. */
  again?(data: T | undefined): number;
  query?: Query;
  /** What is shown until the first answer. */
  listed?(): T | undefined;
}

/** Reads one path. */
export function useRead<T>(
  path: string,
  { again = () => pace.rest, query, listed }: Reading<T> = {},
) {
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => get<T>(path, query, signal),
    refetchInterval: ({ state }) => again(state.data),
    // The query's own type of data excludes functions, which no answer is.
    placeholderData: <Data>(previous: Data | undefined) =>
      keepPreviousData(previous) ?? (listed?.() as Data | undefined),
  });
}

/** The objects of a kind that the session may see. `plural` is the kind's name in paths. */
export function useList<T>(plural: string, query: Query, again?: Reading<Page<T>>["again"]) {
  const area = areaOf(useSignedIn());
  return useRead<Page<T>>(`${area}/${plural}`, { query, ...(again && { again }) });
}

/** One object. Until it is read, it is shown as a list had it, so that its page begins with its name. */
export function useObject<T>(plural: string, id: string, again?: Reading<T>["again"]) {
  const area = areaOf(useSignedIn());
  const queries = useQueryClient();
  const listed = () =>
    queries
      .getQueriesData<Page<T & { id?: string }>>({ queryKey: [`${area}/${plural}`] })
      .flatMap(([, page]) => page?.items ?? [])
      .find((object) => object.id === id);
  return useRead<T>(`${area}/${plural}/${encodeURIComponent(id)}`, {
    ...(again && { again }),
    listed,
  });
}

/** The state of everything, for the provider; one for all that show a part of it. `again` is in milliseconds. */
export const useStatus = (again: number) =>
  useRead<Status>("/api/private/v1/status", { again: () => again });
