import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRaw } from "../raw-response.ts";
import type { Behaviour, SimulatedFailure, SimulatedScores } from "./behaviour.ts";
import type { Rejection } from "./rejection.ts";
import type { CheckedBody, Rank, Vendor } from "./vendor.ts";
import { scoreByWords } from "./word-overlap.ts";

/** Does with a request what the behaviour says. */
export async function respond(
	response: ServerResponse,
	behaviour: Behaviour,
	vendor: Vendor,
	body: CheckedBody,
): Promise<void> {
	if (behaviour.kind === "silence") return;
	if (behaviour.kind === "failure") return sendFailure(response, behaviour, vendor);
	if (behaviour.kind === "raw") return sendRaw(response, behaviour);
	if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
	sendJson(response, 200, toResponse(behaviour, vendor, body));
}

export function sendRejection(response: ServerResponse, rejection: Rejection, vendor: Vendor): void {
	if (rejection.hasEmptyBody) response.writeHead(rejection.status).end();
	else sendJson(response, rejection.status, vendor.toError(rejection));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}

function sendFailure(response: ServerResponse, failure: SimulatedFailure, vendor: Vendor): void {
	const { status, headers, body, message = "Something went wrong.", type } = failure;
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(body ?? JSON.stringify(vendor.toError({ status, message, type })));
}

function toResponse(behaviour: SimulatedScores, vendor: Vendor, body: CheckedBody): object {
	const texts = body[vendor.textsField] as readonly string[];
	const ranks = texts
		.map(
			(text, index): Rank => ({
				index,
				score: behaviour.scores?.[index] ?? toScore(vendor, body.query, text),
			}),
		)
		.sort((a, b) => b.score - a.score);
	const wanted = vendor.limitField === undefined ? undefined : body[vendor.limitField];
	return vendor.toResponse({
		model: String(body.model ?? "default"),
		ranks: ranks.slice(behaviour.omitCount ?? 0, typeof wanted === "number" ? wanted : undefined),
		tokens: toTokens(behaviour, body.query, texts),
		textCount: texts.length,
	});
}

const toScore = (vendor: Vendor, query: string, text: string): number =>
	vendor.toScore(scoreByWords(query, text));

function toTokens({ usage }: SimulatedScores, query: string, texts: readonly string[]): number | undefined {
	if (usage === "none") return undefined;
	const count = (text: string): number => Math.ceil(text.length / 4);
	return usage?.inputTokens ?? texts.reduce((sum, text) => sum + count(query) + count(text), 0);
}
