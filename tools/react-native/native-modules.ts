import { type Blobs, createNetworking, type Emit } from "./native-networking";

/** What the app gets from the platform by name; where it is not here there is none. */
export type NativeModules = Readonly<Record<string, object | undefined>>;

interface BlobPart {
	readonly blobId: string;
	readonly offset: number;
	readonly size: number;
}

const nothing = (): undefined => undefined;

/** As few as the start of an app needs, and the network. */
export function createNativeModules(emit: Emit, report: (problem: string) => void): NativeModules {
	const blobs: Blobs = new Map();
	const read = async ({ blobId, offset, size }: BlobPart, encoding: BufferEncoding): Promise<string> => {
		const bytes = blobs.get(blobId) ?? Buffer.alloc(0);
		return bytes.subarray(offset, offset + size).toString(encoding);
	};
	return {
		Networking: createNetworking(emit, blobs),
		BlobModule: {
			getConstants: () => ({ BLOB_URI_SCHEME: "blob", BLOB_URI_HOST: null }),
			addNetworkingHandler: nothing,
			release: ({ blobId }: BlobPart) => blobs.delete(blobId),
		},
		FileReaderModule: {
			readAsText: (part: BlobPart) => read(part, "utf8"),
			readAsDataURL: async (part: BlobPart) =>
				`data:application/octet-stream;base64,${await read(part, "base64")}`,
		},
		PlatformConstants: {
			getConstants: () => ({
				Version: 35,
				reactNativeVersion: { major: 0, minor: 88, patch: 1 },
				isTesting: true,
			}),
		},
		NativeReactNativeFeatureFlagsCxx: {
			enableIntersectionObserverByDefault: () => false,
			enableMutationObserverByDefault: () => false,
			enableResizeObserverByDefault: () => false,
		},
		ExceptionsManager: { reportException: ({ message }: { message: string }) => report(message) },
		NativeMicrotasksCxx: { queueMicrotask },
		UIManager: { getConstants: () => ({}), getConstantsForViewManager: nothing },
		NativePerformanceCxx: { now: () => performance.now(), timeOrigin: () => performance.timeOrigin },
	};
}
