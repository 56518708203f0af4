import * as z from "zod";
import type { Page } from "./engine.ts";
import { ServiceError } from "./errors.ts";

/** The members of a request that is answered in pages. */
export const paging = {
  /** A page size of 0 means the default. */
  maxResults: z.int().min(0).max(1000).optional(),
  nextToken: z.string().min(1).max(1024).optional(),
};

interface Paged {
  maxResults?: number | undefined;
  nextToken?: string | undefined;
}

const defaultResults = 100;

/** One page of a list, and the token of the next page if there is one. */
export function paged<T extends { id: number }>(
  request: Paged,
  list: (page: Page) => T[],
): { shown: T[]; nextToken: string | undefined } {
  const limit = request.maxResults || defaultResults;
  const found = list({ limit: limit + 1, after: positionOf(request.nextToken) });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    shown,
    nextToken: more ? Buffer.from(`after ${last.id}`).toString("base64") : undefined,
  };
}

function positionOf(nextToken: string | undefined): number | undefined {
  if (nextToken === undefined) return undefined;
  const text = Buffer.from(nextToken, "base64").toString();
  const position = /^after (\d{1,15})$/.exec(text)?.[1];
  if (position === undefined) {
    throw new ServiceError("InvalidToken", "Invalid Token: 'Invalid token'");
  }
  return Number(position);
}
