import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { RouterProvider } from "react-router/dom";
import { Refusal } from "./api/client.ts";
import { routerFor } from "./routes.tsx";
import { type Arrival, begin, isOfLaptop, issuers } from "./session/login.ts";
import { useSession } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal is final. A lost connection is retried here, and later by the page's next reads.
      retry: (count, error) => !(error instanceof Refusal) && count < 3,
      retryDelay: (count) => Math.min(1000 * 2 ** count, 15_000),
      refetchOnWindowFocus: true,
      staleTime: 1000,
    },
  },
});

export function App({ arrival }: { arrival: Arrival }) {
  return (
    <QueryClientProvider client={queries}>
      <Door arrival={arrival} />
    </QueryClientProvider>
  );
}

/**
 * Shows the pages to a signed-in person; otherwise asks the issuer once with `prompt=none` whether there is a session.
 * On a laptop a person without one goes to the issuer's page at once, which is nothing but a choice of people.
 */
function Door({ arrival }: { arrival: Arrival }) {
  const session = useSession();
  const isNobody = arrival.from === "refused" && arrival.why === undefined;
  const [isAsking, setAsking] = useState(arrival.from === "elsewhere" || isNobody);
  useEffect(() => {
    if (isAsking) void redirected({ isSilent: !isNobody }).then(setAsking);
  }, [isAsking, isNobody]);
  if (session) return <RouterProvider router={routerFor(session)} />;
  if (isAsking) return <p className="quiet">Asking the issuer whether you are signed in …</p>;
  return <SignIn why={arrival.from === "refused" ? arrival.why : undefined} />;
}

/** Redirects to the issuer; returns whether it did. With several issuers the person chooses. */
async function redirected({ isSilent }: { isSilent: boolean }): Promise<boolean> {
  try {
    const [issuer, ...others] = await issuers();
    if (issuer === undefined || others.length > 0) return false;
    if (!isSilent && !isOfLaptop(issuer)) return false;
    await begin(issuer, { isSilent });
    return true;
  } catch {
    // The sign-in page shows the error.
    return false;
  }
}
