import type { RunError } from "@stemma/core";
import { closestName } from "@stemma/core/internal";

/** Reader of a scripted reply, which checks it and copies its values. */
export interface ReplyReader<Event> {
	/** Aborts when nobody wants more. */
	readonly signal: AbortSignal;
	/** Fields of which an object must have one, `output` or `error`, unless it has a known `type`. */
	readonly terminalFields: readonly string[];
	readonly types: readonly string[];
	/** Receives one event after the other, each a copy. */
	readonly onEvent: (event: Event) => void;
	/** Returns whether no more events are accepted. */
	readonly isEnded: () => boolean;
}

/** Reads what a script gave: at once, unless it must be waited for. @throws InvalidScriptError */
export function readReply<Event>(
	reply: Event | Iterable<Event> | AsyncIterable<Event>,
	reader: ReplyReader<Event>,
): Promise<void> | undefined {
	if (isAsyncIterable(reply)) return readAsync(reply, reader);
	const events = isIterable(reply) ? reply : [reply];
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

/** Error of a script that contains a value which cannot become an event. */
class InvalidScriptError extends Error {}

/** Copies an event as if it went over a wire: later changes to the script's objects have no effect. */
function copyEvent<Event>(event: Event, { terminalFields, types }: ReplyReader<Event>): Event {
	if (typeof event === "string") return event;
	assertKind(event, terminalFields, types);
	try {
		return JSON.parse(JSON.stringify(event));
	} catch (error) {
		throw new InvalidScriptError(`a value that is not JSON: ${formatThrown(error)}`);
	}
}

function assertKind(event: unknown, terminalFields: readonly string[], types: readonly string[]): void {
	const names = [...terminalFields, "type"].map((name) => `\`${name}\``).join(", ");
	const expectation = `Expected text, or an object with one of ${names}.`;
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

/**
 * Creates the error of a script that did not finish.
 *
 * @param subject - `"desk"`
 */
export const toScriptError = (subject: string, thrown: unknown): RunError => ({
	code: "script_failed",
	message: `The script of ${subject} ${thrown instanceof InvalidScriptError ? "gave" : "threw:"} ${formatThrown(thrown)}`,
	hint: "Check what was passed to the fake.",
});

/** Formats a thrown value as text; the value can be of any type. */
export function formatThrown(thrown: unknown): string {
	try {
		return String(thrown instanceof Error ? thrown.message : thrown);
	} catch {
		return "something that cannot be shown";
	}
}

const describeType = (value: unknown): string =>
	value === undefined || value === null ? `nothing (${value})` : `a ${typeof value}`;

const isAsyncIterable = <Event>(
	reply: Event | Iterable<Event> | AsyncIterable<Event>,
): reply is AsyncIterable<Event> => isObject(reply) && Symbol.asyncIterator in reply;

/** Text is an event, and no list of characters. */
const isIterable = <Event>(reply: Event | Iterable<Event>): reply is Iterable<Event> =>
	isObject(reply) && Symbol.iterator in reply;

const isObject = (value: unknown): value is object & { readonly type?: unknown } =>
	typeof value === "object" && value !== null;
