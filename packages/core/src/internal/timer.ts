/** Longest delay of a timer, in milliseconds: longer ones overflow, and fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
