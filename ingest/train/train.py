"""Trains the recogniser on the pools of `lines.py` and exports it as ONNX.

    python train.py POOL WORKERS STATE --minutes 60 --fonts FOLDER --texts PATH...
    python train.py --export STATE recogniser.onnx

STATE is written after each validation, about every four minutes. An existing STATE is continued. The learning
rate falls to LOWEST_RATE by the last minute.
"""

import argparse
import json
import math
import os
import random
import time

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein
from torch.nn import functional

import lines as pools
from alphabet import CLASSES, decode
from network import STEP, recogniser
from picture import HEIGHT, WIDEST

BATCH, DRAWN = 24, 480
HIGHEST_RATE, LOWEST_RATE, WARM_UP = 2e-3, 1e-5, 150
VALIDATION_INTERVAL, VALIDATION_LINES = 240, 60
# Short lines are trained first: until these seconds, lines have at most this width.
WIDTH_SCHEDULE = [(60, 192), (150, 320)]


def batch_of(pictures):
    width = (max(picture.shape[1] for picture in pictures) + 15) // 16 * 16
    batch = np.zeros((len(pictures), 1, HEIGHT, width), np.float32)
    for number, picture in enumerate(pictures):
        batch[number, 0, :, : picture.shape[1]] = picture / 255.0
    return torch.from_numpy(batch).to(memory_format=torch.channels_last)


def steps(width):
    return (width + STEP - 1) // STEP


def read(network, pictures):
    """The text that the network reads in each image."""
    network.eval()
    texts = [""] * len(pictures)
    order = sorted(range(len(pictures)), key=lambda at: pictures[at].shape[1])
    with torch.inference_mode():
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            best = network(batch_of([pictures[at] for at in chosen])).argmax(1).numpy()
            for row, at in enumerate(chosen):
                texts[at] = decode(best[row][: steps(pictures[at].shape[1])].tolist())
    network.train()
    return texts


def letter_errors(network, examples):
    """The character error rate of each script."""
    shares = {}
    for script, of_script in examples.items():
        texts = read(network, [picture for _, picture in of_script])
        wrong = sum(Levenshtein.distance(said, text) for (said, _), text in zip(of_script, texts))
        shares[script] = round(wrong / sum(len(said) for said, _ in of_script), 4)
    return shares


def examples(given, withheld):
    made = pools.Lines(999, given.fonts, given.texts, validation=True, withheld=withheld)
    return {script: [made.one(script)[1:] for _ in range(VALIDATION_LINES)] for script in pools.SHARES}


def draw(workers, widest, chance):
    """Batches of lines of similar width, as (pool, number)."""
    drawn = []
    for pool, (_, _, sizes, made) in enumerate(workers):
        count = min(pools.POOL, int(made[0]))
        fitting = np.where(np.array(sizes[:count, 0]) <= widest)[0]
        drawn += [(pool, at, int(sizes[at, 0])) for at in chance.choice(fitting, DRAWN // len(workers))]
    drawn.sort(key=lambda line: line[2] + chance.uniform(0, 16))
    batches = [drawn[start : start + BATCH] for start in range(0, len(drawn), BATCH)]
    random.shuffle(batches)
    return batches


def train(given):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    network = recogniser(len(CLASSES) + 1)
    decayed = [weight for weight in network.parameters() if weight.ndim > 1]
    others = [weight for weight in network.parameters() if weight.ndim < 2]
    groups = [{"params": decayed, "weight_decay": 0.02}, {"params": others, "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, HIGHEST_RATE, betas=(0.9, 0.98))
    step, before = 0, 0.0
    if os.path.exists(given.state):
        state = torch.load(given.state)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        step, before = state["step"], state["seconds"]
    print(f"{sum(weight.numel() for weight in network.parameters())} parameters, {len(CLASSES) + 1} classes", flush=True)
    workers = [pools.pool(given.pool, number) for number in range(given.workers)]
    taught, kept = examples(given, False), examples(given, True)
    chance, losses = np.random.default_rng(step), []
    whole, start, validated = given.minutes * 60, time.time(), before
    seconds = before
    while seconds < whole:
        widest = next((width for until, width in WIDTH_SCHEDULE if seconds < until), WIDEST)
        for batch in draw(workers, widest, chance):
            seconds = before + time.time() - start
            falling = 0.5 + 0.5 * math.cos(math.pi * min(1, max(0, (seconds / whole - 0.2) / 0.8)))
            for group in optimizer.param_groups:
                group["lr"] = max(LOWEST_RATE, HIGHEST_RATE * min(1, (step + 1) / WARM_UP) * falling)
            pictures, labels, lengths, widths = [], [], [], []
            for pool, at, _ in batch:
                stored, classes, sizes, _ = workers[pool]
                width, length = (int(size) for size in sizes[at])
                pictures.append(np.array(stored[at, :, :width]))
                labels.append(np.array(classes[at, :length], np.int64))
                lengths.append(length)
                widths.append(steps(width))
            scores = network(batch_of(pictures)).log_softmax(1).permute(2, 0, 1)
            loss = functional.ctc_loss(
                scores, torch.from_numpy(np.concatenate(labels)), torch.tensor(widths), torch.tensor(lengths), zero_infinity=True
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            step += 1
            losses.append(loss.item())
            if step % 200 == 0:
                print(json.dumps({"minutes": round(seconds / 60, 1), "step": step, "loss": round(float(np.mean(losses[-200:])), 4)}), flush=True)
        if seconds - validated > VALIDATION_INTERVAL or seconds >= whole:
            validated = seconds
            made = sum(int(worker[3][0]) for worker in workers)
            curve = {"minutes": round(seconds / 60, 1), "step": step, "lines": step * BATCH, "made": made}
            print(json.dumps(curve | {"taught": letter_errors(network, taught), "withheld": letter_errors(network, kept)}), flush=True)
            state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "seconds": seconds}
            torch.save(state, given.state + ".new")
            os.replace(given.state + ".new", given.state)


def export(given):
    network = recogniser(len(CLASSES) + 1)
    network.load_state_dict(torch.load(given.state, map_location="cpu")["network"])
    network.eval()
    # Export probabilities instead of scores.
    whole = torch.nn.Sequential(network, torch.nn.Softmax(1))
    sample = torch.zeros(2, 1, HEIGHT, 320)
    axes = {"lines": {0: "lines", 3: "width"}, "classes": {0: "lines", 2: "steps"}}
    torch.onnx.export(whole, (sample,), given.onnx, input_names=["lines"], output_names=["classes"], dynamic_axes=axes, dynamo=False)
    with open(os.path.splitext(given.onnx)[0] + ".txt", "w", encoding="utf-8") as file:
        file.write("".join(f"{token}\n" for token in CLASSES))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--export", nargs=2, metavar=("STATE", "ONNX"))
    options.add_argument("pool", nargs="?")
    options.add_argument("workers", nargs="?", type=int)
    options.add_argument("state", nargs="?")
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--fonts")
    options.add_argument("--texts", nargs="+")
    given = options.parse_args()
    if given.export:
        given.state, given.onnx = given.export
        export(given)
    elif given.pool and given.workers and given.state and given.fonts and given.texts:
        train(given)
    else:
        options.error("give POOL WORKERS STATE --fonts --texts, or --export STATE ONNX")
