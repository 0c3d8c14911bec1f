/** What the vendor writes where a question is marked to be held. */
export const HELD_TEXT: string;
