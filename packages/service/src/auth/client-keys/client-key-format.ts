import { randomBytes } from "node:crypto";

/** A client key, taken apart. */
export interface ClientKeyParts {
	/** `ck_…` */
	readonly id: string;
	readonly secret: string;
}

const CLIENT_KEY = /^(ck_[0-9a-z]{26})_([A-Za-z0-9_-]{43})$/;

export const createClientKeySecret = (): string => randomBytes(32).toString("base64url");

/** Formats a client key as a browser sends it: `ck_<id>_<secret>`. */
export const formatClientKey = (id: string, secret: string): string => `${id}_${secret}`;

/** Parses a client key; `undefined` for a text that is none. */
export function parseClientKey(text: string): ClientKeyParts | undefined {
	const [, id, secret] = CLIENT_KEY.exec(text) ?? [];
	return id === undefined || secret === undefined ? undefined : { id, secret };
}
