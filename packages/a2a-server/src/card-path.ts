/** Path of an agent's card, behind its base path or an origin (A2A 1.0.1, section 8.2). */
export const CARD_PATH = "/.well-known/agent-card.json";
