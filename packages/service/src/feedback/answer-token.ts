import type { Fingerprint } from "../auth/fingerprint";
import { isSameToken } from "../runs/run-token";

/** Lets a client key rate an answer that it asked for. Made from the answer's id, so nothing has to be kept. */
export const createAnswerToken = (answerId: string, fingerprint: Fingerprint): string =>
	`at_${fingerprint({ answer_token: answerId })}`;

/** Takes the same time whatever was given. */
export const isAnswerToken = (
	token: string | undefined,
	answerId: string,
	fingerprint: Fingerprint,
): boolean => isSameToken(token, createAnswerToken(answerId, fingerprint));
