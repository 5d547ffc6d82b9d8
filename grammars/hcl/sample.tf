# The network and the servers in it.

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

variable "region" {
  description = "Where everything runs."
  type        = string
  default     = "eu-central-1"
}

locals {
  name = "shop-${var.region}"
  tags = { project = "shop" }
}

provider "aws" {
  region = var.region
}

data "aws_ami" "linux" {
  most_recent = true
  owners      = ["amazon"]
}

# Only https comes in.
resource "aws_security_group" "web" {
  name = local.name

  ingress {
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_instance" "web" {
  count                  = 2
  ami                    = data.aws_ami.linux.id
  instance_type          = "t3.small"
  vpc_security_group_ids = [aws_security_group.web.id]

  lifecycle {
    create_before_destroy = true
  }
}

module "database" {
  source = "./modules/database"
  name   = local.name
}

output "addresses" {
  value = aws_instance.web[*].public_ip
}
