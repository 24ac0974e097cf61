# SPDX-License-Identifier: Apache-2.0
"""Models of torchvision and transformers, small and without dropout."""

import torchvision.models
import transformers
from torch.nn import functional as F

from torch_suite import TorchCase

TITLE = "torchvision and transformers"
BATCH, LENGTH, VOCABULARY = 4, 8, 100
SIZES = {"vocab_size": VOCABULARY, "hidden_size": 32, "num_hidden_layers": 2,
         "num_attention_heads": 4, "intermediate_size": 64,
         "max_position_embeddings": 32}


def images(random):
    return {"x": random.standard_normal((BATCH, 3, 64, 64)).astype("float32"),
            "y": random.randint(0, 10, BATCH)}


def texts(random):
    return {"x": random.randint(1, VOCABULARY, (BATCH, LENGTH)),
            "y": random.randint(0, 2, BATCH)}


def tokens(random):
    ids = random.randint(1, VOCABULARY, (BATCH, LENGTH))
    return {"x": ids, "y": ids.copy()}


def classify(module, batch):
    return F.cross_entropy(module(batch["x"]), batch["y"])


def classify_slowly(module, batch):
    """At the rate of the suite, ten steps of a deep network from random
    weights diverge, and multiply rounding until nothing agrees."""
    return 0.02 * classify(module, batch)


def with_labels(module, batch):
    return module(input_ids=batch["x"], labels=batch["y"]).loss


def vision(name, **options):
    def make():
        return getattr(torchvision.models, name)(num_classes=10, **options)
    return make


def vit():
    return torchvision.models.VisionTransformer(64, 16, 2, 2, 32, 64,
                                                num_classes=10)


def frozen(make):
    """Statistics and stochastic depth as in evaluation."""
    return lambda: make().eval()


def bert():
    return transformers.BertForSequenceClassification(transformers.BertConfig(
        **SIZES, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0))


def gpt2():
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=VOCABULARY, n_positions=32, n_embd=32, n_layer=2, n_head=4,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False))


def llama():
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        **SIZES, use_cache=False))


def t5():
    return transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2,
        num_heads=4, dropout_rate=0.0, use_cache=False,
        decoder_start_token_id=0))


def cases():
    only = ("sgd",)
    return [TorchCase(*model, only) for model in [
        ("ResNet-18", frozen(vision("resnet18")), classify_slowly, images),
        ("MobileNetV3", frozen(vision("mobilenet_v3_small")), classify,
         images),
        ("EfficientNet", frozen(vision("efficientnet_b0")), classify_slowly,
         images),
        ("SqueezeNet", frozen(vision("squeezenet1_1")), classify_slowly,
         images),
        ("ViT", vit, classify, images),
        ("BERT", bert, with_labels, texts),
        ("GPT-2", gpt2, with_labels, tokens),
        ("LLaMA", llama, with_labels, tokens),
        ("T5", t5, with_labels, tokens),
    ]]
