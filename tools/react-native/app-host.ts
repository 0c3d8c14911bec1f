import { createContext, runInContext } from "node:vm";
import type { Platform } from "./bundle-app";
import { createNativeModules } from "./native-modules";
import type { NetworkRequest } from "./native-networking";
import { createNativeScreen, type Screen } from "./native-screen";

export interface AppHostOptions {
	/** Hermes has one since React Native 0.85. Default true. */
	readonly hasTextDecoder?: boolean;
	/** That the bundle is for. Default `android`. */
	readonly platform?: Platform;
}

/** An app that has started. */
export interface AppHost {
	/** Calls what the app has put onto `globalThis.app`, with text. */
	call(name: string, ...args: readonly string[]): Promise<unknown>;
	/** What the app has logged or thrown. */
	readonly problems: readonly string[];
	/** What it has sent over `XMLHttpRequest`, as the native module saw it. */
	readonly requests: readonly NetworkRequest[];
	readonly screen: Screen;
}

type App = Readonly<Record<string, (...args: readonly string[]) => Promise<string>>>;

/** What V8 has and Hermes has not. */
const UNKNOWN_TO_HERMES = [
	"WebAssembly",
	"SharedArrayBuffer",
	"Atomics",
	"Iterator",
	"console",
	"Array.fromAsync",
	"Promise.try",
	"Promise.withResolvers",
	"Object.groupBy",
	"Map.groupBy",
];

/**
 * Starts the bundle of an app where there is nothing but ECMAScript and native modules, as on a phone. The engine is V8,
 * not Hermes: what Hermes cannot parse, its compiler must tell.
 */
export function startApp(
	code: string,
	{ hasTextDecoder = true, platform = "android" }: AppHostOptions = {},
): AppHost {
	const problems: string[] = [];
	const context = createContext({});
	const inside = (source: string): unknown => runInContext(source, context);
	const parse = inside("JSON.parse") as (text: string) => unknown;
	for (const name of UNKNOWN_TO_HERMES) inside(`delete globalThis.${name}`);

	const emit = (event: string, args: readonly unknown[]): void =>
		emitter().emit(event, parse(JSON.stringify(args)));
	const emitter = () => inside("__rctDeviceEventEmitter") as { emit(event: string, args: unknown): void };
	const { screen, uiManager, dom } = createNativeScreen((event) => parse(JSON.stringify(event)) as object);
	const report = (problem: string) => problems.push(problem);
	const { modules, requests } = createNativeModules({ emit, report, dom, platform });
	Object.assign(inside("globalThis") as object, {
		...NATIVE_GLOBALS,
		nativeFabricUIManager: uiManager,
		__turboModuleProxy: (name: string) => modules[name] ?? null,
		nativeLoggingHook: (message: string, level: number) => {
			if (level >= WARNING) problems.push(message);
		},
	});
	addTextCodecs(inside, hasTextDecoder);
	runInContext(code, context, { filename: "app.bundle.js" });
	const app = inside("globalThis.app") as App | undefined;
	if (app === undefined) throw new Error(`The app did not start: ${problems.join("\n")}`);
	return {
		call: async (name, ...args) => JSON.parse((await app[name]?.(...args)) ?? "null"),
		problems,
		requests,
		screen,
	};
}

const WARNING = 2;

/** What the platform defines before the app runs. Native timers are numbers. */
const NATIVE_GLOBALS = {
	HermesInternal: { hasPromise: () => true, hasES6Class: () => true, getRuntimeProperties: () => ({}) },
	RN$Bridgeless: true,
	RN$registerCallableModule: () => undefined,
	nativeModuleProxy: {},
	nativePerformanceNow: () => performance.now(),
	atob,
	btoa,
	setTimeout: (run: () => void, milliseconds: number) => Number(setTimeout(run, milliseconds)),
	clearTimeout: (id: number) => clearTimeout(id),
	setInterval: (run: () => void, milliseconds: number) => Number(setInterval(run, milliseconds)),
	clearInterval: (id: number) => clearInterval(id),
	requestAnimationFrame: (run: () => void) => Number(setTimeout(run, 16)),
	cancelAnimationFrame: (id: number) => clearTimeout(id),
};

/** Node's, but what they give are arrays of the app's own. */
function addTextCodecs(inside: (source: string) => unknown, hasTextDecoder: boolean): void {
	const add = inside(`(encode, createDecoder) => {
		globalThis.TextEncoder = class TextEncoder {
			encode(text = "") { return new Uint8Array(encode(text)); }
		};
		if (createDecoder !== undefined) globalThis.TextDecoder = class TextDecoder {
			#decoder;
			constructor(...args) { this.#decoder = createDecoder(...args); }
			decode(...args) { return this.#decoder.decode(...args); }
		};
	}`) as (encode: (text: string) => Uint8Array, createDecoder: unknown) => void;
	const createDecoder = (label?: string, options?: object) => new TextDecoder(label, options);
	add((text) => new TextEncoder().encode(text), hasTextDecoder ? createDecoder : undefined);
}
