import { JSDOM } from "jsdom";
import type { ReactElement } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from "vitest";
import { loadReact, type ReactBundle, type ReactVersion } from "./react-versions";

/** Waits until a value is as expected. */
export const waitFor = <Value>(read: () => Value) => expect.poll(read, { interval: 5 });

/** Long enough for what must not happen. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

/** A hook, of what a page gives to it. */
type Use<Props, Value> = (props: Props, bundle: ReactBundle) => Value;

interface RenderableState {
	readonly status: string;
	readonly text: string;
}

/** A component on a page that renders what a hook gives. */
export interface RenderedHook<Props, Value> {
	/** Value of the hook at the last render. */
	readonly current: Value;
	/** Number of renders. */
	readonly renders: number;
	/** Text that the page shows. */
	readonly pageText: string;
	rerender(props: Props): void;
	/** Hides or shows the component with `Activity` (React 19): its effects end, its state stays. */
	setHidden(isHidden: boolean): void;
	unmount(): void;
}

export interface PageOptions {
	readonly version: ReactVersion;
	readonly isStrict: boolean;
}

export interface Page {
	readonly bundle: ReactBundle;
	/** @param html - what a server has rendered, to be taken over. */
	render<Props, Value extends RenderableState>(
		useValue: Use<Props, Value>,
		props: Props,
		html?: string,
	): RenderedHook<Props, Value>;
	/** What was written to the console as errors, which a test must expect. */
	takeConsoleErrors(): unknown[];
	/** The browser says that it has a network again. */
	emitOnline(): void;
	/** As a server does it. */
	renderToString<Props, Value extends RenderableState>(useValue: Use<Props, Value>, props: Props): string;
}

/** A page for each test of a suite, on which React has nothing to complain of. */
export function usePage({ version, isStrict }: PageOptions): Page {
	let bundle: ReactBundle;
	let dom: JSDOM;
	let consoleErrors: MockInstance<typeof console.error>;
	const roots = new Set<{ unmount(): void }>();
	const rejections: unknown[] = [];
	const onRejection = (reason: unknown): void => void rejections.push(reason);

	beforeAll(async () => {
		dom = new JSDOM("<!doctype html>");
		Object.assign(globalThis, { window: dom.window, document: dom.window.document });
		bundle = await loadReact(version);
	});
	afterAll(() => {
		Reflect.deleteProperty(globalThis, "window");
		Reflect.deleteProperty(globalThis, "document");
	});
	beforeEach(() => {
		consoleErrors = vi.spyOn(console, "error").mockReturnValue();
		process.on("unhandledRejection", onRejection);
	});
	afterEach(async () => {
		for (const root of roots) root.unmount();
		roots.clear();
		// What is unmounted may still wake up, and must not do harm.
		await new Promise((resolve) => setTimeout(resolve, 5));
		process.off("unhandledRejection", onRejection);
		const unexpectedErrors = [...consoleErrors.mock.calls, ...rejections.splice(0)];
		consoleErrors.mockRestore();
		expect(unexpectedErrors).toEqual([]);
	});

	function wrap<Props, Value extends RenderableState>(
		props: HookRendererProps<Props, Value>,
		isHidden = false,
	): ReactElement {
		const { createElement, StrictMode, Activity } = bundle.react;
		const hookRenderer = createElement(HookRenderer<Props, Value>, props);
		const mode = isHidden ? "hidden" : "visible";
		const hideable =
			version === "18" ? hookRenderer : createElement(Activity, { mode, children: hookRenderer });
		return isStrict ? createElement(StrictMode, null, hideable) : hideable;
	}

	function render<Props, Value extends RenderableState>(
		useValue: Use<Props, Value>,
		initialProps: Props,
		html?: string,
	): RenderedHook<Props, Value> {
		const { client } = bundle;
		const container = dom.window.document.createElement("div");
		let current: Value | undefined;
		let renders = 0;
		let props = initialProps;
		let isHidden = false;

		function onRender(value: Value): void {
			current = value;
			renders += 1;
		}
		const toElement = (): ReactElement => wrap({ bundle, useValue, props, onRender }, isHidden);

		container.innerHTML = html ?? "";
		const root =
			html === undefined ? client.createRoot(container) : client.hydrateRoot(container, toElement());
		if (html === undefined) root.render(toElement());
		roots.add(root);
		return {
			get current() {
				if (current === undefined) throw new Error("It is not rendered yet: wait for `renders`.");
				return current;
			},
			get renders() {
				return renders;
			},
			get pageText() {
				return container.textContent ?? "";
			},
			rerender(next) {
				props = next;
				root.render(toElement());
			},
			setHidden(next) {
				isHidden = next;
				root.render(toElement());
			},
			unmount() {
				roots.delete(root);
				root.unmount();
			},
		};
	}

	return {
		get bundle() {
			return bundle;
		},
		render,
		takeConsoleErrors: () => consoleErrors.mock.calls.splice(0).flat(),
		emitOnline() {
			const event = dom.window.document.createEvent("Event");
			event.initEvent("online", false, false);
			dom.window.dispatchEvent(event);
		},
		renderToString: (useValue, props) =>
			bundle.server.renderToString(wrap({ bundle, useValue, props, onRender: () => {} })),
	};
}

interface HookRendererProps<Props, Value> {
	readonly bundle: ReactBundle;
	readonly useValue: Use<Props, Value>;
	readonly props: Props;
	readonly onRender: (value: Value) => void;
}

function HookRenderer<Props, Value extends RenderableState>({
	bundle,
	useValue,
	props,
	onRender,
}: HookRendererProps<Props, Value>) {
	const { createElement, useEffect } = bundle.react;
	const value = useValue(props, bundle);
	useEffect(() => onRender(value));
	return createElement("p", { "data-status": value.status }, value.text);
}
