import type { RunError } from "@stemma/core";
import { closestName } from "@stemma/core/internal";

/** Reader of a scripted reply, which checks it and copies its values. */
export interface ReplyReader<Event> {
	/** Aborts when nobody wants more. */
	readonly signal: AbortSignal;
	/** What an object must have one of: `output`, `error`, or a `type` that is known. */
	readonly terminalFields: readonly string[];
	readonly types: readonly string[];
	/** Is given one event after the other, each a copy. */
	readonly onEvent: (event: Event) => void;
	/** Nothing more is taken. */
	readonly isEnded: () => boolean;
}

/** Reads what a script gave: at once, unless it must be waited for. @throws InvalidScriptError */
export function readReply<Event>(
	reply: Event | Iterable<Event> | AsyncIterable<Event>,
	reader: ReplyReader<Event>,
): Promise<void> | undefined {
	if (isObject(reply) && Symbol.asyncIterator in reply)
		return readAsync(reply as AsyncIterable<Event>, reader);
	const events = isObject(reply) && Symbol.iterator in reply ? (reply as Iterable<Event>) : [reply as Event];
	for (const event of events) {
		reader.onEvent(copyEvent(event, reader));
		if (reader.isEnded()) break;
	}
	return undefined;
}

/** Lets go of its events as soon as nobody wants more, whatever they wait for. */
async function readAsync<Event>(events: AsyncIterable<Event>, reader: ReplyReader<Event>): Promise<void> {
	const { signal, onEvent, isEnded } = reader;
	const iterator = events[Symbol.asyncIterator]();
	const close = (): void => void Promise.resolve(iterator.return?.()).catch(() => undefined);
	signal.addEventListener("abort", close);
	try {
		while (!signal.aborted && !isEnded()) {
			const { done, value } = await iterator.next();
			if (done === true) return;
			if (!signal.aborted) onEvent(copyEvent(value, reader));
		}
		close();
	} catch (error) {
		close();
		throw error;
	} finally {
		signal.removeEventListener("abort", close);
	}
}

/** A script gave what no event can be made of. */
class InvalidScriptError extends Error {}

/** As it goes over a wire: what a script does with its objects later changes nothing. */
function copyEvent<Event>(event: Event, { terminalFields, types }: ReplyReader<Event>): Event {
	if (typeof event === "string") return event;
	assertKind(event, terminalFields, types);
	try {
		return JSON.parse(JSON.stringify(event)) as Event;
	} catch (error) {
		throw new InvalidScriptError(`what is no JSON: ${formatThrown(error)}`);
	}
}

function assertKind(event: unknown, terminalFields: readonly string[], types: readonly string[]): void {
	const names = [...terminalFields, "type"].map((name) => `\`${name}\``).join(", ");
	const expectation = `Text is wanted, or an object with one of ${names}.`;
	if (!isObject(event)) throw new InvalidScriptError(`${describeType(event)}. ${expectation}`);
	if ("type" in event) {
		const type = String(event.type);
		if (types.includes(type)) return;
		const suggestion = closestName(type, types);
		const hint =
			suggestion === undefined ? `The types are ${types.join(", ")}.` : `Did you mean "${suggestion}"?`;
		throw new InvalidScriptError(`an event of the type "${type}", which a script cannot have. ${hint}`);
	}
	if (terminalFields.some((name) => name in event)) return;
	const fieldNames = Object.keys(event).map((name) => `\`${name}\``);
	throw new InvalidScriptError(`an object with ${fieldNames.join(", ") || "nothing in it"}. ${expectation}`);
}

/** Why a script went no further. @param subject - `"desk"` */
export const toScriptError = (subject: string, thrown: unknown): RunError => ({
	code: "script_failed",
	message: `The script of ${subject} ${thrown instanceof InvalidScriptError ? "gave" : "threw:"} ${formatThrown(thrown)}`,
	hint: "Look at what was passed to the fake.",
});

/** Anything can be thrown. */
export function formatThrown(thrown: unknown): string {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "something that cannot be shown";
	}
}

const describeType = (value: unknown): string =>
	value === undefined || value === null ? `nothing (${value})` : `a ${typeof value}`;

const isObject = (value: unknown): value is object & { readonly type?: unknown } =>
	typeof value === "object" && value !== null;
