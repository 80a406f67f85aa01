// What the server puts in front of the worker: web/worker.py.
declare const VERSION: string;
declare const FILES: string[];
declare const PAGES: string[];
declare const OFFLINE: string;
