export declare const bundledService: string;
export declare function setup(): Promise<void>;
