"""Trains the recogniser on the pools of `lines.py` and exports it as ONNX.

    python train.py POOL WORKERS STATE --minutes 60 --fonts FOLDER --texts PATH...
    python train.py --export STATE recogniser.onnx

STATE is written after each validation, about every four minutes and at the end. If STATE exists, its
training is continued. The learning rate begins to fall after a fifth of the time, and ends at
LOWEST_RATE.
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
from network import PIXELS_PER_STEP, create_recogniser
from picture import HEIGHT, MAX_WIDTH

BATCH_LINES, DRAWN_LINES = 24, 480
HIGHEST_RATE, LOWEST_RATE, WARM_UP = 2e-3, 1e-5, 150
VALIDATION_INTERVAL, VALIDATION_LINES = 240, 60
# Short lines are trained first. Each entry is a time in seconds, and the largest width in pixels
# of the lines that are trained before that time.
WIDTH_SCHEDULE = [(60, 192), (150, 320)]


def batch_of(pictures):
    width = (max(picture.shape[1] for picture in pictures) + 15) // 16 * 16
    batch = np.zeros((len(pictures), 1, HEIGHT, width), np.float32)
    for number, picture in enumerate(pictures):
        batch[number, 0, :, : picture.shape[1]] = picture / 255.0
    return torch.from_numpy(batch).to(memory_format=torch.channels_last)


def time_steps(width):
    return (width + PIXELS_PER_STEP - 1) // PIXELS_PER_STEP


def read_lines(network, pictures):
    """Returns the text that the network reads in each image."""
    network.eval()
    texts = [""] * len(pictures)
    order = sorted(range(len(pictures)), key=lambda at: pictures[at].shape[1])
    with torch.inference_mode():
        for start in range(0, len(order), BATCH_LINES):
            chosen = order[start : start + BATCH_LINES]
            best = network(batch_of([pictures[at] for at in chosen])).argmax(1).numpy()
            for row, at in enumerate(chosen):
                texts[at] = decode(best[row][: time_steps(pictures[at].shape[1])].tolist())
    network.train()
    return texts


def character_error_rates(network, examples):
    """Returns the character error rate of each script."""
    rates = {}
    for script, of_script in examples.items():
        texts = read_lines(network, [picture for _, picture in of_script])
        wrong = sum(Levenshtein.distance(truth, text) for (truth, _), text in zip(of_script, texts))
        rates[script] = round(wrong / sum(len(truth) for truth, _ in of_script), 4)
    return rates


def validation_examples(given, use_held_out):
    lines = pools.LineGenerator(999, given.fonts, given.texts, validation=True, use_held_out=use_held_out)
    return {script: [lines.generate(script)[1:] for _ in range(VALIDATION_LINES)] for script in pools.SCRIPT_SHARES}


def draw_batches(workers, widest, chance):
    """Draws batches of lines of similar width from the pools. A line is (pool, position, width)."""
    drawn = []
    for pool, (_, _, sizes, made) in enumerate(workers):
        count = min(pools.POOL_LINES, int(made[0]))
        fitting = np.where(np.array(sizes[:count, 0]) <= widest)[0]
        drawn += [(pool, at, int(sizes[at, 0])) for at in chance.choice(fitting, DRAWN_LINES // len(workers))]
    drawn.sort(key=lambda line: line[2] + chance.uniform(0, 16))
    batches = [drawn[start : start + BATCH_LINES] for start in range(0, len(drawn), BATCH_LINES)]
    random.shuffle(batches)
    return batches


def train(given):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    network = create_recogniser(len(CLASSES) + 1)
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
    workers = [pools.open_pool(given.pool, number) for number in range(given.workers)]
    trained, held_out = validation_examples(given, False), validation_examples(given, True)
    chance, losses = np.random.default_rng(step), []
    whole, start, validated = given.minutes * 60, time.time(), before
    seconds = before
    while seconds < whole:
        widest = next((width for until, width in WIDTH_SCHEDULE if seconds < until), MAX_WIDTH)
        for batch in draw_batches(workers, widest, chance):
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
                widths.append(time_steps(width))
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
            curve = {"minutes": round(seconds / 60, 1), "step": step, "lines": step * BATCH_LINES, "made": made}
            print(json.dumps(curve | {"taught": character_error_rates(network, trained), "withheld": character_error_rates(network, held_out)}), flush=True)
            state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "seconds": seconds}
            torch.save(state, given.state + ".new")
            os.replace(given.state + ".new", given.state)


def export(given):
    network = create_recogniser(len(CLASSES) + 1)
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
