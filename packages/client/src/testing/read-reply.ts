import type { RunError } from "@stemma/core";
import { closestName } from "@stemma/core/internal";

export interface ReplyReader<Event> {
	/** Aborts when nobody wants more. */
	readonly signal: AbortSignal;
	/** What an object must have one of: `output`, `error`, or a `type` that is known. */
	readonly ends: readonly string[];
	readonly types: readonly string[];
	/** Is given one event after the other, each a copy. */
	readonly take: (event: Event) => void;
	/** Nothing more is taken. */
	readonly isEnded: () => boolean;
}

/** Reads what a script gave: at once, unless it must be waited for. @throws WrongScript */
export function readReply<Event>(
	reply: Event | Iterable<Event> | AsyncIterable<Event>,
	reader: ReplyReader<Event>,
): Promise<void> | undefined {
	if (isObject(reply) && Symbol.asyncIterator in reply)
		return readSlowly(reply as AsyncIterable<Event>, reader);
	const events = isObject(reply) && Symbol.iterator in reply ? (reply as Iterable<Event>) : [reply as Event];
	for (const event of events) {
		reader.take(copyEvent(event, reader));
		if (reader.isEnded()) break;
	}
	return undefined;
}

/** Lets go of its events as soon as nobody wants more, whatever they wait for. */
async function readSlowly<Event>(events: AsyncIterable<Event>, reader: ReplyReader<Event>): Promise<void> {
	const { signal, take, isEnded } = reader;
	const iterator = events[Symbol.asyncIterator]();
	const leave = (): void => void Promise.resolve(iterator.return?.()).catch(() => undefined);
	signal.addEventListener("abort", leave);
	try {
		while (!signal.aborted && !isEnded()) {
			const { done, value } = await iterator.next();
			if (done === true) return;
			if (!signal.aborted) take(copyEvent(value, reader));
		}
		leave();
	} catch (error) {
		leave();
		throw error;
	} finally {
		signal.removeEventListener("abort", leave);
	}
}

/** A script gave what no event can be made of. */
class WrongScript extends Error {}

/** As it goes over a wire: what a script does with its objects later changes nothing. */
function copyEvent<Event>(event: Event, { ends, types }: ReplyReader<Event>): Event {
	if (typeof event === "string") return event;
	demandKind(event, ends, types);
	try {
		return JSON.parse(JSON.stringify(event)) as Event;
	} catch (error) {
		throw new WrongScript(`what is no JSON: ${sayThrown(error)}`);
	}
}

function demandKind(event: unknown, ends: readonly string[], types: readonly string[]): void {
	const names = [...ends, "type"].map((name) => `\`${name}\``).join(", ");
	const wanted = `Text is wanted, or an object with one of ${names}.`;
	if (!isObject(event)) throw new WrongScript(`${nameKind(event)}. ${wanted}`);
	if ("type" in event) {
		const type = String(event.type);
		if (types.includes(type)) return;
		const meant = closestName(type, types);
		const hint = meant === undefined ? `The types are ${types.join(", ")}.` : `Did you mean "${meant}"?`;
		throw new WrongScript(`an event of the type "${type}", which a script cannot have. ${hint}`);
	}
	if (ends.some((name) => name in event)) return;
	const given = Object.keys(event).map((name) => `\`${name}\``);
	throw new WrongScript(`an object with ${given.join(", ") || "nothing in it"}. ${wanted}`);
}

/** Why a script went no further. @param subject - `"desk"` */
export const toScriptError = (subject: string, thrown: unknown): RunError => ({
	code: "script_failed",
	message: `The script of ${subject} ${thrown instanceof WrongScript ? "gave" : "threw:"} ${sayThrown(thrown)}`,
	hint: "Look at what was passed to the fake.",
});

/** Anything can be thrown. */
export function sayThrown(thrown: unknown): string {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "something that cannot be shown";
	}
}

const nameKind = (value: unknown): string =>
	value === undefined || value === null ? `nothing (${value})` : `a ${typeof value}`;

const isObject = (value: unknown): value is object & { readonly type?: unknown } =>
	typeof value === "object" && value !== null;
