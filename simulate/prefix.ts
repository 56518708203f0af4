/**
 * The smallest number of first orders that fails, found by bisection. Fewer may fail too, by chance; one fewer than the
 * answer does not.
 */
export async function shortestFailing(
  fails: (orders: number) => Promise<boolean>,
  known: number,
): Promise<number> {
  let passing = 0;
  let failing = known;
  while (failing - passing > 1) {
    const tried = Math.floor((passing + failing) / 2);
    if (await fails(tried)) failing = tried;
    else passing = tried;
  }
  return failing;
}
