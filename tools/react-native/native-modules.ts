import type { Platform } from "./bundle-app";
import { createBodyStreams } from "./native-body-streams";
import { createNetworking, type Emit, type NetworkRequest, toIosModule } from "./native-networking";
import type { Blobs } from "./native-request-body";

export interface NativeModules {
	/** What the app gets from the platform by name; where it is not here there is none. */
	readonly modules: Readonly<Record<string, object | undefined>>;
	/** What the app has sent over `XMLHttpRequest`. */
	readonly requests: readonly NetworkRequest[];
}

export interface NativeModulesOptions {
	readonly emit: Emit;
	/** Is told of what the app has thrown. */
	readonly report: (problem: string) => void;
	/** Of the screen: see `native-screen.ts`. */
	readonly dom: object;
	readonly platform: Platform;
}

interface BlobPart {
	readonly blobId: string;
	readonly offset: number;
	readonly size: number;
}

interface NativePart {
	readonly data: string | BlobPart;
}

const DISPLAY = { width: 400, height: 800, scale: 2, fontScale: 1 };

const VERSION = { reactNativeVersion: { major: 0, minor: 88, patch: 1 }, isTesting: true };

/** What `Platform` tells of the device. */
const CONSTANTS: Readonly<Record<Platform, object>> = {
	android: { ...VERSION, Version: 35 },
	ios: {
		...VERSION,
		osVersion: "26.1",
		systemName: "iOS",
		interfaceIdiom: "phone",
		forceTouchAvailable: false,
	},
};

const noop = (): undefined => undefined;

/** A module that sends events, and none here. */
const EVENTS = { addListener: noop, removeListeners: noop, getConstants: () => ({}) };

/** As few as the start of an app needs, and the network. */
export function createNativeModules({ emit, report, dom, platform }: NativeModulesOptions): NativeModules {
	const blobs: Blobs = new Map();
	const cut = ({ blobId, offset, size }: BlobPart): Buffer =>
		blobs.get(blobId)?.subarray(offset, offset + size) ?? Buffer.alloc(0);
	const toBytes = ({ data }: NativePart): Buffer =>
		typeof data === "string" ? Buffer.from(data) : cut(data);
	const networking = createNetworking(emit, blobs);
	const modules = {
		Networking: platform === "ios" ? toIosModule(networking.module) : networking.module,
		BodyStreams: createBodyStreams(emit),
		BlobModule: {
			getConstants: () => ({ BLOB_URI_SCHEME: "blob", BLOB_URI_HOST: null }),
			addNetworkingHandler: noop,
			createFromParts: (parts: readonly NativePart[], blobId: string) =>
				blobs.set(blobId, Buffer.concat(parts.map(toBytes))),
			release: ({ blobId }: BlobPart) => blobs.delete(blobId),
		},
		FileReaderModule: {
			readAsText: async (part: BlobPart) => cut(part).toString(),
			readAsDataURL: async (part: BlobPart) =>
				`data:application/octet-stream;base64,${cut(part).toString("base64")}`,
		},
		DeviceInfo: { getConstants: () => ({ Dimensions: { window: DISPLAY, screen: DISPLAY } }) },
		// Of iOS alone: those to which the keyboard and scrolled views listen.
		...(platform === "ios" && { KeyboardObserver: EVENTS, StatusBarManager: EVENTS }),
		PlatformConstants: { getConstants: () => CONSTANTS[platform] },
		NativeReactNativeFeatureFlagsCxx: {
			enableIntersectionObserverByDefault: () => false,
			enableMutationObserverByDefault: () => false,
			enableResizeObserverByDefault: () => false,
		},
		ExceptionsManager: { reportException: ({ message }: { message: string }) => report(message) },
		NativeDOMCxx: dom,
		NativeMicrotasksCxx: { queueMicrotask },
		UIManager: { getConstants: () => ({}), getConstantsForViewManager: noop },
		NativePerformanceCxx: { now: () => performance.now(), timeOrigin: () => performance.timeOrigin },
	};
	return { modules, requests: networking.requests };
}
