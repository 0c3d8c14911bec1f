// Lengths of fields that several routes have.

/** Name of a client, a client key, a workspace or a knowledge base. */
export const MAX_NAME_CHARACTERS = 200;

export const MAX_DESCRIPTION_CHARACTERS = 10_000;

/** Address of a model, a tool or an agent. */
export const MAX_ADDRESS_CHARACTERS = 2_000;

/** Key of a model vendor, or value of a workspace's secret. */
export const MAX_SECRET_CHARACTERS = 16_384;

/** Question, or what a search looks for. */
export const MAX_QUERY_CHARACTERS = 10_000;

/** Messages of one request of a chat protocol. */
export const MAX_CHAT_MESSAGES = 5_000;
