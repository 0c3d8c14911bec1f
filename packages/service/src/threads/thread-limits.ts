/** Maximum share of one client key in the threads of its workspace, so that the key of one page cannot use up all. */
export const CLIENT_KEY_THREAD_SHARE = 0.25;

/** Maximum of a title, and of the text that threads are searched for. */
export const MAX_THREAD_TITLE_CHARACTERS = 200;
/** Characters of the title that a thread gets from its first message. */
export const SHORT_TITLE_CHARACTERS = 60;

export const MAX_METADATA_ENTRIES = 16;
export const MAX_METADATA_KEY_CHARACTERS = 64;
export const MAX_METADATA_VALUE_CHARACTERS = 512;

/** Text of a message of a user. */
export const MAX_THREAD_MESSAGE_CHARACTERS = 100_000;
/** Messages of one thread, of all its branches. */
export const MAX_THREAD_MESSAGES = 20_000;
/** Characters of the messages of one thread; the answer that reaches it is stored. */
export const MAX_THREAD_CHARACTERS = 10_000_000;
/** Messages of a thread that wait for their turn. */
export const MAX_QUEUED_MESSAGES = 10;

/** Messages of a branch that a model gets, the last ones. */
export const MAX_BRANCH_MESSAGES = 100;
/** Characters of them. */
export const MAX_BRANCH_CHARACTERS = 400_000;
