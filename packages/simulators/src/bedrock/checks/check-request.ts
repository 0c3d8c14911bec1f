import type { SimulatedOperation } from "../behaviour.ts";
import type { ConverseRequest } from "../converse-request.ts";
import type { RawRequest } from "../raw-request.ts";
import { Rejection } from "../rejection.ts";
import { checkAuthorization, type SimulatedAccount, type UsedCredential } from "./check-authorization.ts";
import { checkBody, parseBody } from "./check-body.ts";
import { checkModel, type SimulatedModels } from "./check-model.ts";
import { checkPath } from "./check-path.ts";

/** What a request turns out to be; those that are refused on the way have only a part of it. */
export interface CheckedRequest {
	readonly operation: SimulatedOperation;
	readonly credential: UsedCredential;
	readonly body: ConverseRequest;
}

/**
 * Finds out what the vendor would know of a request, in its order: where to, from whom, with what.
 *
 * @param found - gets each part as soon as it is known.
 * @throws Rejection with the status and the body that the vendor would answer.
 */
export async function checkRequest(
	request: RawRequest,
	account: SimulatedAccount,
	models: SimulatedModels | undefined,
	found: { -readonly [Part in keyof CheckedRequest]?: CheckedRequest[Part] },
): Promise<CheckedRequest> {
	const operation = checkPath(request.method, request.path);
	found.operation = operation;
	const credential = await checkAuthorization(request, account);
	found.credential = credential;
	checkContentType(request.headers["content-type"]);
	const body = parseBody(request.body.toString());
	checkModel(operation.modelId, models);
	checkBody(body, models?.separateToolTurns?.includes(operation.modelId) === true);
	found.body = body;
	return { operation, credential, body };
}

function checkContentType(header: string | undefined): void {
	if (/^application\/json\s*(;|$)/i.test(header ?? "")) return;
	throw new Rejection(415, "UnsupportedMediaTypeException", "The content type must be application/json.");
}
