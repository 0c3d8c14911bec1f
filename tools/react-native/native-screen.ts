/** What the app shows, as React Native's own renderer has drawn it: the names and props that platforms get. */
export interface ShownView {
	/** `RCTText`, say. */
	readonly name: string;
	readonly props: Readonly<Record<string, unknown>>;
	readonly children: readonly ShownView[];
}

interface Node extends ShownView {
	readonly children: Node[];
	/** Of React: events go to it. */
	readonly instance: unknown;
}

type SendEvent = (instance: unknown, type: string, event: object) => void;

/** What a person does with the app. */
export interface Screen {
	/** All views, each before those within it. */
	views(): readonly ShownView[];
	/** All that can be read on it, a line for each text. */
	text(): string;
	/** Touches the button, or types into the field, that is labelled so. */
	press(label: string): void;
	type(label: string, text: string): void;
}

export interface NativeScreen {
	readonly screen: Screen;
	/** `nativeFabricUIManager`: keeps the views that the renderer makes, and lays out none of them. */
	readonly uiManager: object;
	/** `NativeDOM`: the ways between views, which events take. */
	readonly dom: object;
}

const DEFAULT_PRIORITY = 3;

/** `toInside` makes an event an object of the app's engine. */
export function createNativeScreen(toInside: (event: object) => object): NativeScreen {
	let root: readonly Node[] = [];
	let sendEvent: SendEvent = () => undefined;
	let typed = 0;

	const find = (label: string): Node => {
		const node = flatten(root).find(({ props }) => props.accessibilityLabel === label);
		if (node === undefined) throw new Error(`Nothing on the screen is labelled "${label}".`);
		if (isDisabled(node)) throw new Error(`"${label}" is disabled.`);
		return node;
	};
	const views = () => flatten(root);
	// The renderer may ask with a view that it has replaced since.
	const findParent = ({ instance }: Node): Node | undefined =>
		views().find(({ children }) => children.some((child) => child.instance === instance));

	return {
		screen: {
			views,
			text: () =>
				views()
					.filter(({ name }) => name === "RCTText")
					.map(readText)
					.join("\n"),
			press: (label) => sendEvent(find(label).instance, "topClick", toInside({})),
			type(label, text) {
				typed += 1;
				sendEvent(find(label).instance, "topChange", toInside({ text, eventCount: typed }));
			},
		},
		uiManager: {
			createNode: (
				_tag: number,
				name: string,
				_root: number,
				props: Node["props"],
				instance: unknown,
			): Node => ({
				name,
				props: { ...props },
				instance,
				children: [],
			}),
			cloneNode: (node: Node): Node => ({ ...node }),
			cloneNodeWithNewChildren: (node: Node, children: readonly Node[] = []): Node => ({
				...node,
				children: [...children],
			}),
			cloneNodeWithNewProps: (node: Node, props: Node["props"]): Node => ({
				...node,
				props: { ...node.props, ...props },
			}),
			cloneNodeWithNewChildrenAndProps: (node: Node, props: Node["props"]): Node => ({
				...node,
				props: { ...node.props, ...props },
				children: [],
			}),
			createChildSet: (): Node[] => [],
			appendChild: (parent: Node, child: Node) => {
				parent.children.push(child);
				return parent;
			},
			appendChildToSet: (set: Node[], child: Node) => void set.push(child),
			completeRoot: (_root: number, set: readonly Node[]) => {
				root = set;
			},
			registerEventHandler: (handler: SendEvent) => {
				sendEvent = handler;
			},
			dispatchCommand: () => undefined,
			setNativeProps: () => undefined,
			setIsJSResponder: () => undefined,
			measure: () => undefined,
			unstable_DefaultEventPriority: DEFAULT_PRIORITY,
			unstable_getCurrentEventPriority: () => DEFAULT_PRIORITY,
		},
		dom: {
			linkRootNode: () => undefined,
			getParentNode: (node: Node) => findParent(node)?.instance ?? null,
		},
	};
}

const flatten = (nodes: readonly Node[]): Node[] =>
	nodes.flatMap((node) => [node, ...flatten(node.children)]);

const readText = ({ name, props, children }: ShownView): string =>
	name === "RCTRawText" ? String(props.text) : children.map(readText).join("");

function isDisabled({ props }: Node): boolean {
	const { accessibilityState } = props as { accessibilityState?: { disabled?: boolean } };
	return accessibilityState?.disabled === true;
}
